import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createBackpressure, type Backpressure } from "../../runtime/events/dispatch/backpressure.ts";
import {
  isBelowLowWater,
  adjustWindow,
  createSubscriptionQueue,
  freeCapacity,
  takeNext,
  takeUnsigned,
  type Endpoint,
  type SubscriptionQueue,
} from "../../runtime/events/dispatch/subscription-queue.ts";
import type { DeliveryJob } from "../../runtime/events/model/queues.ts";
import { delivery, event, subscription } from "../store-contract/delivery-samples.ts";

describe("backpressure", () => {
  let nowMs = 0;
  const clock = { now: () => nowMs };
  const claim = (backpressure: Backpressure, count: number): void => {
    for (let claimed = 0; claimed < count; claimed += 1) backpressure.claimed("user");
  };
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test("ends once fewer than 128 claimed jobs wait to be sent", async () => {
    const backpressure = createBackpressure(clock);
    await backpressure.belowLimit();
    claim(backpressure, 300);
    const onRelieved = vi.fn();
    const belowLimit = backpressure.belowLimit().then(onRelieved);
    for (let started = 0; started < 172; started += 1) backpressure.started("user");
    await vi.advanceTimersByTimeAsync(49);
    expect(onRelieved).not.toHaveBeenCalled();
    backpressure.started("user");
    await belowLimit;
  });

  test("ends after 50 ms where jobs are not sent", async () => {
    const backpressure = createBackpressure(clock);
    claim(backpressure, 300);
    for (let times = 0; times < 2; times += 1) {
      const belowLimit = backpressure.belowLimit();
      await vi.advanceTimersByTimeAsync(50);
      await belowLimit;
    }
  });

  test("lets as many wait as are sent in 20 s by the present rate, and 1,024 at any rate", () => {
    nowMs = 0;
    const backpressure = createBackpressure(clock);
    const send = (count: number): void => {
      claim(backpressure, count);
      for (let sent = 0; sent < count; sent += 1) backpressure.started("user");
    };
    expect(backpressure.room()).toBe(1_024);
    send(1_000);
    expect(backpressure.room()).toBe(4_000);
    claim(backpressure, 3_000);
    expect([backpressure.room(), backpressure.waitingOf("user")]).toEqual([1_000, 3_000]);
    // What is given back was not sent.
    for (let count = 0; count < 3_000; count += 1) backpressure.released("user");
    nowMs += 5_000;
    expect(backpressure.room()).toBe(4_000);
    send(500);
    nowMs += 5_000;
    expect(backpressure.room()).toBe(2_000);
    // A clock that is set back shows another rate, too.
    nowMs -= 60_000;
    expect(backpressure.room()).toBe(1_024);
  });
});

test("as much is made ready as is sent soon, each once and in order", () => {
  const queue = queueOf(600, { window: 32 });
  const ready: string[] = [];
  const prepare = (): void => {
    for (const job of takeUnsigned(queue)) ready.push(job.delivery.id);
  };
  prepare();
  expect(ready).toHaveLength(256);
  const next: (string | undefined)[] = [];
  while (queue.jobs.length > 0) {
    next.push(takeNext(queue)?.delivery.id);
    prepare();
    const ahead = new Set(ready.slice(next.length));
    expect(queue.jobs.length === 0 || ahead.has(queue.jobs[0]?.delivery.id ?? "")).toBe(true);
  }
  expect(ready).toEqual(next);
});

test("an endpoint that has proved nothing has one made ready", () => {
  const queue = queueOf(3, { window: 1 });
  expect(takeUnsigned(queue)).toHaveLength(1);
  expect(takeUnsigned(queue)).toHaveLength(0);
  takeNext(queue);
  expect(takeUnsigned(queue).map((job) => job.delivery.id)).toEqual(["1"]);
});

test("a process claims what it sends within a second and leaves the rest to others", () => {
  const taken = { startedAt: 0, durationMs: 50, status: 200, responseTruncated: false };
  const queue = createSubscriptionQueue("s", 0, false);
  // Eight queues share sixteen permits: two attempts are in flight, whatever the window.
  queue.endpoint.inFlight = 2;
  for (let count = 0; count < 100; count += 1) adjustWindow(queue.endpoint, taken, 16);
  expect(queue.endpoint.window).toBe(16);
  expect(freeCapacity(queue) + queue.endpoint.inFlight).toBe(40);
});

describe("an endpoint that takes one at a time", () => {
  const taken = { startedAt: 0, durationMs: 1, status: 200, responseTruncated: false };

  test("has many claimed for it once it has taken some, and only one after it refused", () => {
    const queue = createSubscriptionQueue("s", 0);
    expect(freeCapacity(queue)).toBe(1);
    for (let count = 0; count < 40; count += 1) adjustWindow(queue.endpoint, taken, 1);
    expect(queue.endpoint.window).toBe(1);
    expect(freeCapacity(queue)).toBeGreaterThan(100);
    adjustWindow(queue.endpoint, { ...taken, status: 503, failure: "status" }, 1);
    expect([freeCapacity(queue), queue.endpoint.unresponsive]).toEqual([1, false]);
    adjustWindow(queue.endpoint, { ...taken, failure: "timeout" }, 1);
    expect(freeCapacity(queue)).toBe(1);
  });

  test("is not asked for more before half of that has begun", () => {
    const queue = queueOf(3_000, { window: 1 });
    for (let count = 0; count < 100; count += 1) adjustWindow(queue.endpoint, taken, 1);
    expect(isBelowLowWater(queue)).toBe(false);
    queue.jobs.splice(0, 1_500);
    expect(isBelowLowWater(queue)).toBe(true);
  });
});

function queueOf(count: number, { window }: Pick<Endpoint, "window">): SubscriptionQueue {
  const queue = createSubscriptionQueue("s", 0);
  queue.endpoint.window = window;
  queue.endpoint.healthy = window > 1;
  queue.jobs.push(
    ...Array.from({ length: count }, (_, index): DeliveryJob => {
      return { delivery: { ...delivery, id: `${index}` }, event, subscription };
    }),
  );
  return queue;
}
