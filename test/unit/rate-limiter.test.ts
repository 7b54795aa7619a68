import { expect, test } from "vitest";
import { createRateLimiter } from "../../runtime/service/authenticate.ts";

let nowMs = 0;
const now = (): number => nowMs;

/** The verdicts over requests of one credential at these times. */
function verdicts(perSecond: number, burst: number, timesMs: readonly number[]) {
  const limiter = createRateLimiter({ callsPerMinute: perSecond * 60, burst }, now);
  return timesMs.map((timeMs) => {
    nowMs = timeMs;
    const { ok, headers, retryAfterS } = limiter.take("una");
    const { "RateLimit-Remaining": left, "RateLimit-Reset": reset } = headers;
    expect(headers["RateLimit-Limit"]).toBe(String(burst));
    return [ok, left, reset, retryAfterS];
  });
}

test("a credential has its burst, then what time gives it, and is told when to come again", () => {
  expect(verdicts(0.25, 2, [0, 0, 0, 3_999, 4_000, 4_001])).toEqual([
    [true, "1", "4", undefined],
    [true, "0", "8", undefined],
    [false, "0", "8", 4],
    [false, "0", "5", 1],
    [true, "0", "8", undefined],
    [false, "0", "8", 4],
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
  const limiter = createRateLimiter({ callsPerMinute: 60, burst: 1 }, now);
  expect(["una", "una", "olaf"].map((each) => limiter.take(each).ok)).toEqual([true, false, true]);
});
