import { setImmediate as eventLoopTurn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { createBackpressure } from "../../runtime/delivery/dispatch/backpressure.ts";
import {
  isBelowLowWater,
  adjustWindow,
  createSubscriptionQueue,
  freeCapacity,
  takeNext,
  takeUnsigned,
  type SubscriptionQueue,
} from "../../runtime/delivery/dispatch/subscription-queue.ts";
import type { DeliveryJob } from "../../runtime/delivery/model/delivery-job.ts";
import { delivery, event, subscription } from "../store-contract/delivery-samples.ts";

test("more is taken once most of what was claimed has begun", async () => {
  const appetite = createBackpressure();
  await appetite.relieved();
  appetite.claimed(300);
  const returned = appetite.relieved();
  const first = (): Promise<string> =>
    Promise.race([returned.then(() => "returned"), eventLoopTurn("nothing yet")]);
  for (let begun = 0; begun < 172; begun += 1) appetite.started();
  expect(await first()).toBe("nothing yet");
  appetite.started();
  expect(await first()).toBe("returned");
});

test("what does not begin keeps nobody waiting for good", async () => {
  const appetite = createBackpressure();
  appetite.claimed(300);
  await appetite.relieved();
  await appetite.relieved();
});

test("as much is made ready as is sent soon, each once and in order", () => {
  const lane = laneOf(600, { window: 32 });
  const ready: string[] = [];
  const prepare = (): void => {
    for (const job of takeUnsigned(lane)) ready.push(job.delivery.id);
  };
  prepare();
  expect(ready).toHaveLength(256);
  const next: (string | undefined)[] = [];
  while (lane.jobs.length > 0) {
    next.push(takeNext(lane)?.delivery.id);
    prepare();
    const ahead = new Set(ready.slice(next.length));
    expect(lane.jobs.length === 0 || ahead.has(lane.jobs[0]?.delivery.id ?? "")).toBe(true);
  }
  expect(ready).toEqual(next);
});

test("an endpoint that has proved nothing has one made ready", () => {
  const lane = laneOf(3, { window: 1 });
  expect(takeUnsigned(lane)).toHaveLength(1);
  expect(takeUnsigned(lane)).toHaveLength(0);
  takeNext(lane);
  expect(takeUnsigned(lane).map((job) => job.delivery.id)).toEqual(["1"]);
});

describe("an endpoint that takes one at a time", () => {
  const taken = { startedAt: 0, durationMs: 1, status: 200, responseTruncated: false };

  test("has many claimed for it once it has taken some, and only one after it refused", () => {
    const lane = createSubscriptionQueue("s", 0);
    expect(freeCapacity(lane)).toBe(1);
    for (let count = 0; count < 40; count += 1) adjustWindow(lane, taken, 1);
    expect(lane.window).toBe(1);
    expect(freeCapacity(lane)).toBeGreaterThan(100);
    adjustWindow(lane, { ...taken, status: 503, failure: "status" }, 1);
    expect([freeCapacity(lane), lane.unresponsive]).toEqual([1, false]);
    adjustWindow(lane, { ...taken, failure: "timeout" }, 1);
    expect(freeCapacity(lane)).toBe(1);
  });

  test("is not asked for more before half of that has begun", () => {
    const lane = laneOf(3_000, { window: 1 });
    for (let count = 0; count < 100; count += 1) adjustWindow(lane, taken, 1);
    expect(isBelowLowWater(lane)).toBe(false);
    lane.jobs.splice(0, 1_500);
    expect(isBelowLowWater(lane)).toBe(true);
  });
});

function laneOf(count: number, { window }: Pick<SubscriptionQueue, "window">): SubscriptionQueue {
  const lane = createSubscriptionQueue("s", 0);
  lane.window = window;
  lane.healthy = window > 1;
  lane.jobs.push(
    ...Array.from({ length: count }, (_, index): DeliveryJob => {
      return { delivery: { ...delivery, id: `${index}` }, event, subscription };
    }),
  );
  return lane;
}
