import { createCounts, hasShare } from "../../contract/fair-queue.ts";
import type { Clock } from "../../ports/index.ts";
import type { Signal } from "../model/signal.ts";

/** A bulkhead for attempts: endpoints that do not respond take nothing from the others. */
export interface InFlightLimiter {
  /** Returns a permit; or undefined, and wakes the queue that asked when a permit may be free. */
  tryAcquire(request: PermitRequest): Permit | undefined;
  release(permit: Permit): void;
  /** Wakes no queue any more. */
  close(): void;
}

export interface PermitRequest {
  readonly origin: string;
  /** Whose subscription it is. */
  readonly userName: string;
  /** Whether the endpoint's last attempt got no response. */
  readonly isUnresponsive: boolean;
  /** Wakes the queue that asks. */
  readonly waiting: Signal;
}

export interface Permit {
  readonly origin: string;
  readonly userName: string;
  readonly isUnresponsive: boolean;
  readonly acquiredAtMs: number;
  isRecent: boolean;
}

export interface InFlightLimits {
  /** Recent attempts at once. */
  readonly concurrency: number;
  /** Recent attempts at one origin at once. */
  readonly originConcurrency: number;
}

/** A longer attempt no longer counts against the limits of recent ones: its endpoint may not respond at all. */
const recentMs = 1_000;
/** Attempts of any age at once, as a multiple of `concurrency`. */
const totalFactor = 8;
/** The share of `concurrency` that unresponsive endpoints may take. */
const unresponsiveShare = 0.5;
/** Queues that one released permit wakes: not each of them can use it. */
const wokenAtOnce = 16;

// oxlint-disable-next-line max-lines-per-function -- every step changes the same counts of permits
export function createInFlightLimiter(clock: Clock, limits: InFlightLimits): InFlightLimiter {
  const { concurrency, originConcurrency } = limits;
  const totalMax = concurrency * totalFactor;
  const unresponsiveMax = Math.max(1, Math.floor(concurrency * unresponsiveShare));
  const recent = createRecentPermits();
  /** In the order in which their queues asked. */
  const waitingForPermit = new Set<Signal>();
  const byUser = createCounts();
  let total = 0;
  let unresponsive = 0;
  let cancelAging: (() => void) | undefined;

  function isFree({ origin, userName, isUnresponsive }: PermitRequest): boolean {
    if (!hasShare(byUser.of(userName), totalMax - total)) return false;
    if (isUnresponsive) return unresponsive < unresponsiveMax;
    const ofOrigin = recent.countOf(origin);
    return (
      ofOrigin < originConcurrency && hasShare(recent.countOfUser(userName), concurrency - recent.count())
    );
  }
  function wake(count: number): void {
    for (const waiting of waitingForPermit.values().take(count)) {
      // A queue without a permit moves to the end.
      waitingForPermit.delete(waiting);
      waiting.wake();
    }
  }
  function waitForPermit(waiting: Signal): void {
    waitingForPermit.add(waiting);
    cancelAging ??= clock.schedule(recentMs, () => {
      cancelAging = undefined;
      wake(waitingForPermit.size);
    });
  }

  return {
    tryAcquire(request) {
      const { origin, userName, isUnresponsive, waiting } = request;
      const nowMs = clock.now();
      recent.ageAll(nowMs);
      if (!isFree(request)) {
        waitForPermit(waiting);
        return undefined;
      }
      waitingForPermit.delete(waiting);
      const permit = { origin, userName, isUnresponsive, acquiredAtMs: nowMs, isRecent: !isUnresponsive };
      total += 1;
      byUser.add(userName, 1);
      if (isUnresponsive) unresponsive += 1;
      else recent.add(permit);
      return permit;
    },
    release(permit) {
      total -= 1;
      byUser.add(permit.userName, -1);
      if (permit.isUnresponsive) unresponsive -= 1;
      recent.age(permit);
      wake(wokenAtOnce);
    },
    close() {
      cancelAging?.();
      waitingForPermit.clear();
    },
  };
}

/** Permits of recent attempts, counted in all, by origin and by user. */
function createRecentPermits() {
  /** In the order of their acquisition. */
  const permits = new Set<Permit>();
  const byOrigin = createCounts();
  const byUser = createCounts();

  function count({ origin, userName }: Permit, by: 1 | -1): void {
    byOrigin.add(origin, by);
    byUser.add(userName, by);
  }
  function age(permit: Permit): void {
    if (!permit.isRecent) return;
    permit.isRecent = false;
    permits.delete(permit);
    count(permit, -1);
  }

  return {
    count: () => permits.size,
    countOf: byOrigin.of,
    countOfUser: byUser.of,
    add(permit: Permit): void {
      permits.add(permit);
      count(permit, 1);
    },
    age,
    /** Ages the permits of attempts that are no longer recent. */
    ageAll(nowMs: number): void {
      for (const permit of permits) {
        if (nowMs - permit.acquiredAtMs < recentMs) return;
        age(permit);
      }
    },
  };
}
