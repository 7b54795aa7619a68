import { setImmediate as eventLoopTurn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { createAppetite } from "../../runtime/delivery/dispatch/backpressure.ts";
import {
  isHungry,
  learn,
  newLane,
  roomOf,
  takeNext,
  takeUnprepared,
  type Lane,
} from "../../runtime/delivery/dispatch/subscription-queue.ts";
import type { Parcel } from "../../runtime/delivery/outbox/publish-batch.ts";
import { delivery, event, subscription } from "../store-contract/delivery-samples.ts";

test("more is taken once most of what was claimed has begun", async () => {
  const appetite = createAppetite();
  await appetite.returned();
  appetite.claimed(300);
  const returned = appetite.returned();
  const first = (): Promise<string> =>
    Promise.race([returned.then(() => "returned"), eventLoopTurn("nothing yet")]);
  for (let begun = 0; begun < 172; begun += 1) appetite.begun();
  expect(await first()).toBe("nothing yet");
  appetite.begun();
  expect(await first()).toBe("returned");
});

test("what does not begin keeps nobody waiting for good", async () => {
  const appetite = createAppetite();
  appetite.claimed(300);
  await appetite.returned();
  await appetite.returned();
});

test("as much is made ready as is sent soon, each once and in order", () => {
  const lane = laneOf(600, { window: 32 });
  const ready: string[] = [];
  const prepare = (): void => {
    for (const parcel of takeUnprepared(lane)) ready.push(parcel.delivery.id);
  };
  prepare();
  expect(ready).toHaveLength(256);
  const next: (string | undefined)[] = [];
  while (lane.queue.length > 0) {
    next.push(takeNext(lane)?.delivery.id);
    prepare();
    const ahead = new Set(ready.slice(next.length));
    expect(lane.queue.length === 0 || ahead.has(lane.queue[0]?.delivery.id ?? "")).toBe(true);
  }
  expect(ready).toEqual(next);
});

test("an endpoint that has proved nothing has one made ready", () => {
  const lane = laneOf(3, { window: 1 });
  expect(takeUnprepared(lane)).toHaveLength(1);
  expect(takeUnprepared(lane)).toHaveLength(0);
  takeNext(lane);
  expect(takeUnprepared(lane).map((parcel) => parcel.delivery.id)).toEqual(["1"]);
});

describe("an endpoint that takes one at a time", () => {
  const taken = { startedAt: 0, durationMs: 1, status: 200, responseTruncated: false };

  test("has many claimed for it once it has taken some, and only one after it refused", () => {
    const lane = newLane("s", 0);
    expect(roomOf(lane)).toBe(1);
    for (let count = 0; count < 40; count += 1) learn(lane, taken, 1);
    expect(lane.window).toBe(1);
    expect(roomOf(lane)).toBeGreaterThan(100);
    learn(lane, { ...taken, status: 503, failure: "status" }, 1);
    expect([roomOf(lane), lane.suspect]).toEqual([1, false]);
    learn(lane, { ...taken, failure: "timeout" }, 1);
    expect(roomOf(lane)).toBe(1);
  });

  test("is not asked for more before half of that has begun", () => {
    const lane = laneOf(3_000, { window: 1 });
    for (let count = 0; count < 100; count += 1) learn(lane, taken, 1);
    expect(isHungry(lane)).toBe(false);
    lane.queue.splice(0, 1_500);
    expect(isHungry(lane)).toBe(true);
  });
});

function laneOf(count: number, { window }: Pick<Lane, "window">): Lane {
  const lane = newLane("s", 0);
  lane.window = window;
  lane.proven = window > 1;
  lane.queue.push(
    ...Array.from({ length: count }, (_, index): Parcel => {
      return { delivery: { ...delivery, id: `${index}` }, event, subscription };
    }),
  );
  return lane;
}
