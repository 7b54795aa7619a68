import { expect, test } from "vitest";
import { createRateLimiter } from "../../runtime/service/signed/rate-limiter.ts";
import { systemClock } from "../../runtime/operations/system/index.ts";

let nowMs = 0;
const clock = { ...systemClock, now: () => nowMs };

/** The verdicts over requests of one credential at these times. */
function verdicts(perSecond: number, burst: number, timesMs: readonly number[]) {
  const limit = createRateLimiter({ clock, perSecond, burst });
  return timesMs.map((timeMs) => {
    nowMs = timeMs;
    const { allowed, headers } = limit("una");
    const { "RateLimit-Remaining": left, "RateLimit-Reset": reset, "Retry-After": after } = headers;
    expect(headers["RateLimit-Limit"]).toBe(String(burst));
    return [allowed, left, reset, after];
  });
}

test("a credential has its burst, then what time gives it, and is told when to come again", () => {
  expect(verdicts(0.25, 2, [0, 0, 0, 3_999, 4_000, 4_001])).toEqual([
    [true, "1", "4", undefined],
    [true, "0", "8", undefined],
    [false, "0", "8", "4"],
    [false, "0", "5", "1"],
    [true, "0", "8", undefined],
    [false, "0", "8", "4"],
  ]);
});

test("no time gives more than the burst, and a clock set back takes nothing", () => {
  expect(verdicts(1, 3, [0, 1_000_000, 0, 1_500])).toEqual([
    [true, "2", "1", undefined],
    [true, "2", "1", undefined],
    [true, "1", "2", undefined],
    [true, "1", "2", undefined],
  ]);
});

test("each credential has its own", () => {
  const limit = createRateLimiter({ clock, perSecond: 1, burst: 1 });
  expect([limit("una"), limit("una"), limit("olaf")].map(({ allowed }) => allowed)).toEqual([
    true,
    false,
    true,
  ]);
});
