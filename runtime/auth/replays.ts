/**
 * The register of what has been used once and must not be used again. `replays` of a service is one; several processes
 * of one service need a shared one.
 */
export interface ReplayRegister {
  /**
   * Takes a nonce until it expires. `replayed` if it was taken before, or may have been: it expires no later than one
   * that was removed, even if the clock is set back. `full` if its owner has as many live nonces as one may:
   * forgetting instead would let a captured request pass again. Other owners go on.
   */
  take(record: ReplayRecord): Promise<ReplayVerdict>;
}

export interface ReplayRecord {
  /** Whose nonce: never of the caller's choosing alone, or one caller could take from another's. */
  readonly owner: string;
  readonly nonce: string;
  /** Unix time in milliseconds. */
  readonly expiresAtMs: number;
}

export type ReplayVerdict =
  | { readonly kind: "taken" | "replayed" }
  /** Room is there again after this time. */
  | { readonly kind: "full"; readonly retryAfterMs: number };

/** Why a nonce was not taken, as a scheme says it. */
export type NotTaken =
  | { readonly kind: "replayed" }
  | { readonly kind: "exhausted"; readonly retryAfterMs: number };

/** Takes the nonce of a verified signature; gives nothing if it was free. */
export async function takeOnce(replays: ReplayRegister, record: ReplayRecord): Promise<NotTaken | undefined> {
  const taken = await replays.take(record);
  if (taken.kind === "full") return { kind: "exhausted", retryAfterMs: taken.retryAfterMs };
  return taken.kind === "taken" ? undefined : { kind: "replayed" };
}

/** Where a register keeps nonces. */
export interface NonceShelf {
  /** How many nonces of an owner had not expired before this process, and until when they may live. */
  liveBefore(owner: string, nowMs: number): Promise<{ readonly count: number; readonly untilMs: number }>;
  /** Keeps a nonce. False if it is kept already, or may have been before it was removed. */
  keep(record: ReplayRecord, nowMs: number): Promise<boolean>;
}

export interface ReplayRegisterOptions {
  readonly clock: { now(): number };
  /** Default: in memory. After a restart a request may be repeated until its time window ends. */
  readonly shelf?: NonceShelf;
  /** Live nonces an owner may have. Default 50,000: 300 s of validity at 166 requests a second, 60 s at 833. */
  readonly perOwnerMax?: number;
}

/** One for the process. */
export function createReplayRegister({
  clock,
  shelf = memoryShelf(),
  perOwnerMax = 50_000,
}: ReplayRegisterOptions): ReplayRegister {
  const countOf = createCounts(shelf);
  return {
    async take(record) {
      const nowMs = clock.now();
      const count = await countOf(record.owner, nowMs);
      if (count.live(nowMs) >= perOwnerMax) return { kind: "full", retryAfterMs: count.freeAfterMs(nowMs) };
      count.add(record.expiresAtMs);
      let isTaken = false;
      try {
        isTaken = await shelf.keep(record, nowMs);
      } finally {
        if (!isTaken) count.remove(record.expiresAtMs);
      }
      return { kind: isTaken ? "taken" : "replayed" };
    },
  };
}

/** Live nonces of one owner. */
interface NonceCount {
  /** How many have not expired. */
  live(nowMs: number): number;
  /** How long until the first of them expires. */
  freeAfterMs(nowMs: number): number;
  /** One, or as many as said. */
  add(expiresAtMs: number, count?: number): void;
  remove(expiresAtMs: number): void;
}

const forgottenEveryMs = 60_000;

/** Counts by owner, those without a live nonce forgotten. */
function createCounts(shelf: NonceShelf): (owner: string, nowMs: number) => Promise<NonceCount> {
  const counts = new Map<string, Promise<NonceCount>>();
  let forgottenAtMs = -Infinity;

  async function created(owner: string, nowMs: number): Promise<NonceCount> {
    const count = createCount();
    const before = await shelf.liveBefore(owner, nowMs);
    if (before.count > 0) count.add(before.untilMs, before.count);
    return count;
  }

  /** Its own time apart from the clock's going back. */
  async function forgetIdle(nowMs: number): Promise<void> {
    forgottenAtMs = nowMs;
    for (const [owner, count] of counts) if ((await count).live(nowMs) === 0) counts.delete(owner);
  }

  return async (owner, nowMs) => {
    if (Math.abs(nowMs - forgottenAtMs) >= forgottenEveryMs) await forgetIdle(nowMs);
    const known = counts.get(owner);
    if (known !== undefined) return known;
    const count = created(owner, nowMs);
    counts.set(owner, count);
    count.catch(() => counts.delete(owner));
    return count;
  };
}

/** Counted by the second of expiry: some three hundred numbers at most, however many nonces. */
function createCount(): NonceCount {
  const bySecond = new Map<number, number>();
  let total = 0;
  let forgottenSecond = 0;

  function forgetExpired(nowMs: number): void {
    const second = Math.floor(nowMs / 1000);
    if (second === forgottenSecond) return;
    forgottenSecond = second;
    for (const [expiry, count] of bySecond) {
      if (expiry > second) continue;
      bySecond.delete(expiry);
      total -= count;
    }
  }

  function change(expiresAtMs: number, by: number): void {
    const second = Math.ceil(expiresAtMs / 1000);
    const count = bySecond.get(second);
    if (count === undefined && by < 0) return;
    bySecond.set(second, (count ?? 0) + by);
    total += by;
  }

  return {
    live(nowMs) {
      forgetExpired(nowMs);
      return total;
    },
    freeAfterMs(nowMs) {
      let first = Infinity;
      for (const [second, count] of bySecond) if (count > 0 && second < first) first = second;
      return first === Infinity ? 0 : Math.max(0, first * 1000 - nowMs);
    },
    add: (expiresAtMs, count = 1) => change(expiresAtMs, count),
    remove: (expiresAtMs) => change(expiresAtMs, -1),
  };
}

/** For one process. */
function memoryShelf(): NonceShelf {
  const kept = new Set<string>();
  /** Names by the second in which they expire: each is removed once, and none is looked at before. */
  const bySecond = new Map<number, string[]>();
  let removedSecond = -Infinity;
  /** When the last of those that were removed expired. */
  let forgottenUntil = -Infinity;

  function removeExpired(nowMs: number): void {
    const second = Math.floor(nowMs / 1000);
    if (second === removedSecond) return;
    removedSecond = second;
    for (const [expiry, names] of bySecond) {
      if (expiry > second) continue;
      bySecond.delete(expiry);
      forgottenUntil = Math.max(forgottenUntil, expiry);
      for (const name of names) kept.delete(name);
    }
  }

  return {
    liveBefore: async () => ({ count: 0, untilMs: 0 }),
    async keep({ owner, nonce, expiresAtMs }, nowMs) {
      removeExpired(nowMs);
      const second = Math.ceil(expiresAtMs / 1000);
      const name = JSON.stringify([owner, nonce]);
      if (second <= forgottenUntil || kept.has(name)) return false;
      kept.add(name);
      const expiring = bySecond.get(second);
      if (expiring === undefined) bySecond.set(second, [name]);
      else expiring.push(name);
      return true;
    },
  };
}
