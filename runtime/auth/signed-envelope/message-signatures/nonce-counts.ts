import type { OwnedNonce } from "../../auth-services.ts";

/** Live nonces of one owner. */
export interface NonceCount {
  /** How many have not expired. */
  live(nowMs: number): number;
  /** How long until the first of them expires. */
  freeAfterMs(nowMs: number): number;
  /** One, or as many as said. */
  add(expiresAtMs: number, count?: number): void;
  remove(expiresAtMs: number): void;
}

export type NonceOwner = Pick<OwnedNonce, "owner" | "institutionId">;

/** Counts by owner, those without a live nonce forgotten. */
export interface NonceCounts {
  of(owner: NonceOwner, nowMs: number): Promise<NonceCount>;
}

/** Longest time from now to the expiry of a signature that is accepted: its validity and a caller's clock ahead. */
const liveMsMax = 331_000;
const forgottenEveryMs = 60_000;

/** `load` counts the nonces that an owner had before this process; they are taken to expire as late as may be. */
export function createNonceCounts(load: (owner: NonceOwner) => Promise<number>): NonceCounts {
  const counts = new Map<string, Promise<NonceCount>>();
  let forgottenAtMs = -Infinity;

  async function created(owner: NonceOwner, nowMs: number): Promise<NonceCount> {
    const count = createCount();
    const before = await load(owner);
    if (before > 0) count.add(nowMs + liveMsMax, before);
    return count;
  }

  /** Its own time apart from the clock's going back. */
  async function forgetIdle(nowMs: number): Promise<void> {
    forgottenAtMs = nowMs;
    for (const [owner, count] of counts) if ((await count).live(nowMs) === 0) counts.delete(owner);
  }

  return {
    async of(whose, nowMs) {
      const { owner } = whose;
      if (Math.abs(nowMs - forgottenAtMs) >= forgottenEveryMs) await forgetIdle(nowMs);
      const known = counts.get(owner);
      if (known !== undefined) return known;
      const count = created(whose, nowMs);
      counts.set(owner, count);
      count.catch(() => counts.delete(owner));
      return count;
    },
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
