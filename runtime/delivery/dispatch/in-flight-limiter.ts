/** Bounds of what is in flight, so that endpoints that hang take nothing from the others. */
export interface InFlightLimiter {
  /** Takes a slot, or says that there is none. */
  tryAcquire(origin: string, isUnresponsive: boolean, nowMs: number): Permit | undefined;
  release(slot: Permit): void;
}

export interface Permit {
  readonly origin: string;
  readonly isUnresponsive: boolean;
  readonly acquiredAtMs: number;
  isRecent: boolean;
}

export interface InFlightLimits {
  /** Young exchanges at once. */
  readonly concurrency: number;
  /** Young exchanges with one origin at once. */
  readonly originConcurrency: number;
}

/** An exchange that takes longer counts no more against the limits of the young: it may be one that hangs. */
export const recentMs = 1_000;
/** Exchanges of any age at once, as a multiple of the young ones. */
const totalFactor = 8;
/** The share of the young ones' limit that endpoints which did not answer last time may take. */
const unresponsiveShare = 0.5;

export function createInFlightLimiter({ concurrency, originConcurrency }: InFlightLimits): InFlightLimiter {
  /** In the order of their beginning. */
  const young = new Set<Permit>();
  const youngOf = new Map<string, number>();
  let total = 0;
  let suspects = 0;

  function countYoung(origin: string, by: 1 | -1): void {
    const count = (youngOf.get(origin) ?? 0) + by;
    if (count === 0) youngOf.delete(origin);
    else youngOf.set(origin, count);
  }
  function age(slot: Permit): void {
    if (!slot.isRecent) return;
    slot.isRecent = false;
    young.delete(slot);
    countYoung(slot.origin, -1);
  }

  return {
    tryAcquire(origin, isUnresponsive, nowMs) {
      if (total >= concurrency * totalFactor) return undefined;
      if (isUnresponsive && suspects >= Math.max(1, Math.floor(concurrency * unresponsiveShare)))
        return undefined;
      for (const slot of young) {
        if (nowMs - slot.acquiredAtMs < recentMs) break;
        age(slot);
      }
      const isFull = young.size >= concurrency || (youngOf.get(origin) ?? 0) >= originConcurrency;
      if (!isUnresponsive && isFull) return undefined;
      const slot = { origin, isUnresponsive, acquiredAtMs: nowMs, isRecent: !isUnresponsive };
      total += 1;
      if (isUnresponsive) suspects += 1;
      else {
        young.add(slot);
        countYoung(origin, 1);
      }
      return slot;
    },
    release(slot) {
      total -= 1;
      if (slot.isUnresponsive) suspects -= 1;
      age(slot);
    },
  };
}
