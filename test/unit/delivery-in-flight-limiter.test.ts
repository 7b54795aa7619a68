import { beforeEach, expect, test } from "vitest";
import {
  createInFlightLimiter,
  type InFlightLimiter,
} from "../../runtime/events/dispatch/in-flight-limiter.ts";
import { systemClock } from "../../runtime/operations/system/index.ts";

let nowMs: number;
let scheduled: (() => void)[];
let woken: string[];
let limiter: InFlightLimiter;
const clock = {
  ...systemClock,
  now: () => nowMs,
  schedule: (_delayMs: number, callback: () => void) => {
    scheduled.push(callback);
    return () => {};
  },
};

beforeEach(() => {
  nowMs = 0;
  scheduled = [];
  woken = [];
  limiter = createInFlightLimiter(clock, { concurrency: 4, originConcurrency: 2 });
});

function acquire(origin: string, isUnresponsive = false, userName = origin) {
  const waiting = { wake: () => void woken.push(origin), wait: async () => {}, reset: () => {} };
  return limiter.tryAcquire({ origin, userName, isUnresponsive, waiting });
}
/** How many of many attempts at once get a permit. */
const taken = (origins: readonly string[], isUnresponsive = false) =>
  origins.filter((origin) => acquire(origin, isUnresponsive) !== undefined).length;
const each = (count: number) => Array.from({ length: count }, (_, number) => `origin${number}`);

test("an origin has two attempts at once, and all have four", () => {
  expect(taken(["a", "a", "a"])).toBe(2);
  expect(taken(each(5))).toBe(2);
});

test("endpoints that do not respond have half of the places, beside those of the others", () => {
  expect(taken(each(5), true)).toBe(2);
  expect(taken(each(5))).toBe(4);
});

test("no user has more than seven eighths of the places, of recent attempts and of all", () => {
  limiter = createInFlightLimiter(clock, { concurrency: 64, originConcurrency: 32 });
  const takenBy = (userName: string) =>
    each(100).filter((origin) => acquire(origin, false, userName) !== undefined).length;
  expect(takenBy("greedy")).toBe(56);
  expect(takenBy("greedy")).toBe(0);
  expect(takenBy("modest")).toBe(7);
  for (nowMs = 1_000; nowMs < 20_000; nowMs += 1_000) takenBy("greedy");
  expect(takenBy("greedy")).toBe(0);
  expect(takenBy("modest")).toBeGreaterThan(0);
});

test("one place at least is for endpoints that do not respond", () => {
  limiter = createInFlightLimiter(clock, { concurrency: 1, originConcurrency: 1 });
  expect(taken(each(3), true)).toBe(1);
});

test("an attempt of a second counts no more, up to eight times as many in all", () => {
  expect(taken(each(5))).toBe(4);
  nowMs = 999;
  expect(taken(each(5))).toBe(0);
  for (nowMs = 1_000; nowMs < 8_000; nowMs += 1_000) expect(taken(each(5))).toBe(4);
  expect(taken(each(5))).toBe(0);
});

test("a permit that comes back wakes who waits, and is free again", () => {
  const permit = acquire("a");
  acquire("a");
  expect(acquire("a")).toBeUndefined();
  if (permit === undefined) throw new Error("no permit");
  limiter.release(permit);
  expect(woken).toEqual(["a"]);
  expect([acquire("a"), acquire("a")].map((each) => each !== undefined)).toEqual([true, false]);
});

test("who waits is woken when attempts are a second old", () => {
  taken(["a", "a", "a", "b", "b", "b"]);
  expect(woken).toEqual([]);
  nowMs = 1_000;
  for (const callback of scheduled) callback();
  expect(woken).toEqual(["a", "b"]);
});

test("of thousands that wait, as many are woken as places are free, in turn", () => {
  const permits = ["a", "a"].map((origin) => acquire(origin));
  for (let waiting = 0; waiting < 3_000; waiting += 1) acquire("a");
  acquire("b");
  acquire("b");
  expect(acquire("b")).toBeUndefined();
  for (const permit of permits) {
    if (permit !== undefined) limiter.release(permit);
    expect(acquire("a")).toBeDefined();
  }
  expect(woken).toEqual(["a", "a"]);
  // All permits are old: an origin has two places again, and all have four.
  nowMs = 1_000;
  for (const callback of scheduled.splice(0)) callback();
  expect(woken.slice(2)).toEqual(["a", "a", "b"]);
  // Somebody still waits.
  expect(scheduled).toHaveLength(1);
});
