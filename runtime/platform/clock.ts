/** A source of the time of day and of the time that has passed. */
export interface TimeSource {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Milliseconds since a time that stays the same: where the time of day is set, this goes on as before. */
  elapsedMs(): number;
}

/** Unix times in milliseconds. Both are what the clock shows unless it was set. */
export interface TimeBounds {
  readonly earliestMs: number;
  readonly latestMs: number;
}

/** By how much the time of day was ahead of the time that had passed, at least and at most. */
interface Offsets {
  readonly beganMs: number;
  least: number;
  most: number;
}

/**
 * Between which times it is, by all that the clock has shown in the last `keptMs`. An entry dated `latestMs` is
 * remembered for `keptMs` of elapsed time, however the clock is set meanwhile. It is forgotten once `earliestMs` is
 * `keptMs` later. A clock that is set for good is believed after twice that time at the latest. The later bound is at
 * most `keptMs` after the clock's time. So a clock that was a year ahead for a minute keeps nothing that long.
 */
export function timeBounds(clock: TimeSource, keptMs: number): () => TimeBounds {
  const look = (): Offsets => {
    const beganMs = clock.elapsedMs();
    const offset = clock.now() - beganMs;
    return { beganMs, least: offset, most: offset };
  };
  let current = look();
  let former = current;
  return () => {
    const seen = look();
    if (seen.beganMs - current.beganMs > keptMs) {
      former = current;
      current = seen;
    }
    current.least = Math.min(current.least, seen.least);
    current.most = Math.max(current.most, seen.most);
    const most = Math.min(Math.max(former.most, current.most), seen.most + keptMs);
    return {
      earliestMs: Math.round(seen.beganMs + Math.min(former.least, current.least)),
      latestMs: Math.round(seen.beganMs + most),
    };
  };
}

/** The machine's clock. */
export const systemClock = {
  now: () => Date.now(),
  elapsedMs: () => performance.now(),
  /** Does not keep the process alive. Gives what cancels it. */
  schedule(delayMs: number, callback: () => void): () => void {
    const timer = setTimeout(callback, delayMs);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
