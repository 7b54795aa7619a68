import { createCounts, hasShare, type Counts } from "../../contract/queues.ts";
import type { Clock } from "../../store/ports/index.ts";
import type { Signal } from "../model/loops.ts";

/** A bulkhead for attempts: endpoints that do not respond take nothing from the others. */
export interface InFlightLimiter {
  /** Returns a permit; or undefined, and wakes the queue that asked when one is free for it. */
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
/** Queues that are looked at when a permit is released: not each of them can use it. */
const lookedAtOnce = 16;

/** Queues that were woken, and have not asked again. */
interface Woken {
  readonly count: number;
  readonly origins: Counts;
  readonly users: Counts;
}

const nobody: Woken = { count: 0, origins: createCounts(), users: createCounts() };

// oxlint-disable-next-line max-lines-per-function -- every step changes the same counts of permits
export function createInFlightLimiter(clock: Clock, limits: InFlightLimits): InFlightLimiter {
  const { concurrency, originConcurrency } = limits;
  const totalMax = concurrency * totalFactor;
  const unresponsiveMax = Math.max(1, Math.floor(concurrency * unresponsiveShare));
  const recent = createRecentPermits();
  /** What their queues asked for, in this order. */
  const waitingForPermit = new Map<Signal, PermitRequest>();
  const byUser = createCounts();
  let total = 0;
  let unresponsive = 0;
  let cancelAging: (() => void) | undefined;

  /** Whether a place is free beside those of queues that were woken for theirs. */
  function isFree({ origin, userName, isUnresponsive }: PermitRequest, woken: Woken = nobody): boolean {
    const ofUser = woken.users.of(userName);
    if (!hasShare(byUser.of(userName) + ofUser, totalMax - total - woken.count)) return false;
    if (isUnresponsive) return unresponsive + woken.count < unresponsiveMax;
    const free = concurrency - recent.count() - woken.count;
    const isOriginFree = recent.countOf(origin) + woken.origins.of(origin) < originConcurrency;
    return isOriginFree && hasShare(recent.countOfUser(userName) + ofUser, free);
  }
  /** Wakes those of the first queues for which a place is free. The others move to the end. */
  function wake(lookedAt: number): void {
    recent.ageAll(clock.now());
    const woken = { count: 0, origins: createCounts(), users: createCounts() };
    for (const [waiting, request] of waitingForPermit.entries().take(lookedAt)) {
      waitingForPermit.delete(waiting);
      if (!isFree(request, woken)) {
        waitingForPermit.set(waiting, request);
        continue;
      }
      woken.count += 1;
      woken.origins.add(request.origin, 1);
      woken.users.add(request.userName, 1);
      waiting.wake();
    }
  }
  function wakeLater(): void {
    cancelAging ??= clock.schedule(recentMs, () => {
      cancelAging = undefined;
      wake(waitingForPermit.size);
      if (waitingForPermit.size > 0) wakeLater();
    });
  }

  return {
    tryAcquire(request) {
      const { waiting, ...asked } = request;
      const nowMs = clock.now();
      recent.ageAll(nowMs);
      if (!isFree(request)) {
        waitingForPermit.set(waiting, request);
        wakeLater();
        return undefined;
      }
      waitingForPermit.delete(waiting);
      const permit = { ...asked, acquiredAtMs: nowMs, isRecent: !asked.isUnresponsive };
      total += 1;
      byUser.add(asked.userName, 1);
      if (asked.isUnresponsive) unresponsive += 1;
      else recent.add(permit);
      return permit;
    },
    release(permit) {
      total -= 1;
      byUser.add(permit.userName, -1);
      if (permit.isUnresponsive) unresponsive -= 1;
      recent.age(permit);
      wake(lookedAtOnce);
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
