import { onTestFinished, vi } from "vitest";

const faked = ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] as const;

/**
 * Stops the timers of this process, until the test ends, and lets them run only as far as the test says. Node's own, as
 * those for the head of a request, go on; so do `until`, and `performance.now()` unless it is asked for.
 */
export function timersByHand({ performance = false } = {}): { pass(ms: number): void } {
  vi.useFakeTimers({ toFake: performance ? [...faked, "performance"] : [...faked] });
  onTestFinished(() => void vi.useRealTimers());
  return { pass: (ms) => void vi.advanceTimersByTime(ms) };
}
