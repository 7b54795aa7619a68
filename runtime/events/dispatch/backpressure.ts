import { createCounts } from "../../contract/queues.ts";
import type { Clock } from "../../store/ports/index.ts";

/** Counts claimed jobs that are not being sent yet. It slows the outbox poller, and bounds what is claimed ahead. */
export interface Backpressure {
  /** A job of the user was claimed. */
  claimed(userName: string): void;
  /** A job of the user is being sent. */
  started(userName: string): void;
  /** A job of the user was given back to the store. */
  released(userName: string): void;
  /** How many of the user's jobs wait. */
  waitingOf(userName: string): number;
  /** How many more jobs may wait: as many as are sent long before their claims end. */
  room(): number;
  /** Resolves once fewer than 128 jobs wait, after 50 ms at the latest: a slow endpoint delays no other one. */
  belowLimit(): Promise<void>;
}

const waitingMax = 128;
const waitMsMax = 50;
/**
 * Jobs wait for the time that as many take to be sent: four times 5 s at the present rate, and half of a claim's
 * time. Beyond that a slow machine would only claim them, give them back, and claim them again.
 */
const ratedMs = 5_000;
const aheadOfRate = 4;
/** So many may wait at any rate. */
const aheadMin = 1_024;

export function createBackpressure(clock: Pick<Clock, "now">): Backpressure {
  const byUser = createCounts();
  let waiting = 0;
  let resume: (() => void) | undefined;
  let ratedSinceMs = clock.now();
  let startedNow = 0;
  let startedBefore = 0;

  function left(userName: string): void {
    waiting -= 1;
    byUser.add(userName, -1);
    if (waiting < waitingMax) resume?.();
  }
  function rated(): number {
    const nowMs = clock.now();
    if (Math.abs(nowMs - ratedSinceMs) >= ratedMs) {
      [startedBefore, startedNow, ratedSinceMs] = [startedNow, 0, nowMs];
    }
    return Math.max(startedBefore, startedNow);
  }

  return {
    claimed(userName) {
      waiting += 1;
      byUser.add(userName, 1);
    },
    started(userName) {
      rated();
      startedNow += 1;
      left(userName);
    },
    released: left,
    waitingOf: byUser.of,
    room: () => Math.max(0, Math.max(aheadMin, aheadOfRate * rated()) - waiting),
    async belowLimit() {
      if (waiting < waitingMax) return;
      await new Promise<void>((resolve) => {
        const timeout = setTimeout(resolve, waitMsMax);
        resume = () => {
          clearTimeout(timeout);
          resolve();
        };
      });
      resume = undefined;
    },
  };
}
