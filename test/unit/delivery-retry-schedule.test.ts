import { describe, expect, test } from "vitest";
import { parseRetryAfter, retryDelayMs, retryWindowMs } from "../../runtime/events/model/retry-schedule.ts";
import { idSource, systemClock } from "../../runtime/operations/system/index.ts";
import { fc } from "../seed.ts";

const minute = 60_000;
const hour = 60 * minute;
const delays = [5_000, 5 * minute, 30 * minute, 2, 5, 10, 14, 20, 24].map((delay) =>
  delay < 100 ? delay * hour : delay,
);

describe("the schedule of attempts (D-43)", () => {
  test("keeps each delay within a fifth, and ends after ten attempts", () => {
    const ids = idSource(systemClock);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), (failures) => {
        const delay = delays[failures - 1] ?? 0;
        const drawn = retryDelayMs(failures, ids) ?? Number.NaN;
        expect(drawn).toBeGreaterThanOrEqual(delay * 0.8);
        expect(drawn).toBeLessThanOrEqual(delay * 1.2);
      }),
    );
    expect(retryDelayMs(10, ids)).toBeUndefined();
  });

  test("spreads attempts over all of that", () => {
    const drawing = (drawn: number) =>
      retryDelayMs(1, { ...idSource(systemClock), integer: (limit) => Math.round((limit - 1) * drawn) });
    expect([drawing(0), drawing(0.5), drawing(1)]).toEqual([4_000, 5_000, 6_000]);
  });

  test("waits as long as the receiver asks for, and never shorter", () => {
    const ids = { ...idSource(systemClock), integer: () => 500_000 };
    expect(retryDelayMs(1, ids, 60_000)).toBe(60_000);
    expect(retryDelayMs(1, ids, 1_000)).toBe(5_000);
    expect(retryDelayMs(10, ids, 60_000)).toBeUndefined();
  });

  test("never takes longer than the window that keys stay published for", () => {
    expect(delays.reduce((sum, delay) => sum + delay * 1.2, 0)).toBeLessThan(retryWindowMs);
  });
});

describe("Retry-After", () => {
  const now = Date.parse("2026-03-02T12:00:00Z");

  test.each([
    ["120", 120_000],
    [" 0 ", 0],
    ["Mon, 02 Mar 2026 12:00:30 GMT", 30_000],
    ["Monday, 02-Mar-26 12:00:30 GMT", 30_000],
    ["Mon Mar  2 12:00:30 2026", 30_000],
    ["Mon, 02 Mar 2026 11:00:00 GMT", 0],
    ["9999999999", 86_400_000],
    ["Fri, 31 Dec 9999 23:59:59 GMT", 86_400_000],
  ])("%j is a delay", (text, delay) => {
    expect(parseRetryAfter(text, now)).toBe(delay);
  });

  test.each(["", "-1", "1.5", "1e3", "soon", "2026-03-02", "99999999999", "Mon, 99 Foo 2026 12:00:00 GMT"])(
    "%j is none",
    (text) => {
      expect(parseRetryAfter(text, now)).toBeUndefined();
    },
  );
  test("is none where there is no header", () => expect(parseRetryAfter(undefined, now)).toBeUndefined());
});
