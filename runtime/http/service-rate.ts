/** Measures how fast calls are completed while others wait, to foresee how long the queue takes. */
export interface ServiceRate {
  /** The queue was empty and is no longer: what was completed before says nothing about a busy service. */
  begin(): void;
  completed(): void;
  /** Called at even intervals while calls wait: two without a completion are a stall. */
  tick(): void;
  /** Expected time until `waiting` calls are completed. Milliseconds; infinite in a stall. */
  expectedMs(waiting: number): number;
}

/** Length of a measurement: long enough for slow commits. */
const windowMs = 100;
const stallTicks = 2;

export function createServiceRate(nowMs: () => number): ServiceRate {
  let startedAtMs = nowMs();
  let count = 0;
  let idleTicks = 0;
  /** Infinite until the first window is full: a burst is not refused on a guess. */
  let perMs = Infinity;

  return {
    begin() {
      startedAtMs = nowMs();
      count = 0;
      idleTicks = 0;
    },
    completed() {
      count += 1;
      idleTicks = 0;
      const elapsedMs = nowMs() - startedAtMs;
      if (elapsedMs < windowMs) return;
      perMs = count / elapsedMs;
      startedAtMs += elapsedMs;
      count = 0;
    },
    tick() {
      idleTicks += 1;
    },
    expectedMs: (waiting) => (idleTicks >= stallTicks ? Infinity : waiting / perMs),
  };
}
