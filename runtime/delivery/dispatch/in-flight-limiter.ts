/** Bounds of what is in flight, so that endpoints that hang take nothing from the others. */
export interface Slots {
  /** Takes a slot, or says that there is none. */
  enter(origin: string, isSuspect: boolean, nowMs: number): Slot | undefined;
  leave(slot: Slot): void;
}

export interface Slot {
  readonly origin: string;
  readonly isSuspect: boolean;
  readonly enteredAtMs: number;
  isYoung: boolean;
}

export interface SlotLimits {
  /** Young exchanges at once. */
  readonly concurrency: number;
  /** Young exchanges with one origin at once. */
  readonly originConcurrency: number;
}

/** An exchange that takes longer counts no more against the limits of the young: it may be one that hangs. */
export const youthMs = 1_000;
/** Exchanges of any age at once, as a multiple of the young ones. */
const ageingFactor = 8;
/** The share of the young ones' limit that endpoints which did not answer last time may take. */
const suspectShare = 0.5;

export function createSlots({ concurrency, originConcurrency }: SlotLimits): Slots {
  /** In the order of their beginning. */
  const young = new Set<Slot>();
  const youngOf = new Map<string, number>();
  let total = 0;
  let suspects = 0;

  function countYoung(origin: string, by: 1 | -1): void {
    const count = (youngOf.get(origin) ?? 0) + by;
    if (count === 0) youngOf.delete(origin);
    else youngOf.set(origin, count);
  }
  function age(slot: Slot): void {
    if (!slot.isYoung) return;
    slot.isYoung = false;
    young.delete(slot);
    countYoung(slot.origin, -1);
  }

  return {
    enter(origin, isSuspect, nowMs) {
      if (total >= concurrency * ageingFactor) return undefined;
      if (isSuspect && suspects >= Math.max(1, Math.floor(concurrency * suspectShare))) return undefined;
      for (const slot of young) {
        if (nowMs - slot.enteredAtMs < youthMs) break;
        age(slot);
      }
      const isFull = young.size >= concurrency || (youngOf.get(origin) ?? 0) >= originConcurrency;
      if (!isSuspect && isFull) return undefined;
      const slot = { origin, isSuspect, enteredAtMs: nowMs, isYoung: !isSuspect };
      total += 1;
      if (isSuspect) suspects += 1;
      else {
        young.add(slot);
        countYoung(origin, 1);
      }
      return slot;
    },
    leave(slot) {
      total -= 1;
      if (slot.isSuspect) suspects -= 1;
      age(slot);
    },
  };
}
