import type { AuthClock, ReplayRecord, ReplayRegister } from "./port.ts";

export interface ReplayRegisterOptions {
  readonly clock: AuthClock;
  /** Nonces of one owner that have not expired. Default 50,000: 300 s at 166 requests a second. */
  readonly perOwnerMax?: number;
}

/** A register in memory, for one process: a request may be repeated after a restart, until its time window ends. */
export function createReplayRegister({ clock, perOwnerMax = 50_000 }: ReplayRegisterOptions): ReplayRegister {
  const owners = new Map<string, Set<string>>();
  /** The records by the second in which they expire: each is removed once, and none is looked at before. */
  const bySecond = new Map<number, ReplayRecord[]>();
  let removedSecond = Math.floor(clock.now() / 1000);
  /** When the last of those that were removed expired: where the clock is set back, one that expires no later may be one of them. */
  let forgottenUntil = -Infinity;

  function removeExpired(nowMs: number): void {
    const second = Math.floor(nowMs / 1000);
    if (second === removedSecond) return;
    removedSecond = second;
    for (const [expiry, records] of bySecond) {
      if (expiry > second) continue;
      bySecond.delete(expiry);
      forgottenUntil = Math.max(forgottenUntil, expiry);
      for (const { owner, nonce } of records) {
        const nonces = owners.get(owner);
        nonces?.delete(nonce);
        if (nonces?.size === 0) owners.delete(owner);
      }
    }
  }

  return {
    take(record) {
      removeExpired(clock.now());
      const second = Math.ceil(record.expiresAtMs / 1000);
      if (second <= forgottenUntil) return "replayed";
      const nonces = owners.get(record.owner) ?? new Set<string>();
      if (nonces.has(record.nonce)) return "replayed";
      if (nonces.size >= perOwnerMax) return "full";
      owners.set(record.owner, nonces.add(record.nonce));
      const expiring = bySecond.get(second);
      if (expiring === undefined) bySecond.set(second, [record]);
      else expiring.push(record);
      return "taken";
    },
  };
}
