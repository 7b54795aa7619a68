import type { Clock } from "../../ports/index.ts";

/** Remembers the nonces of message signatures until they expire, so that none is taken twice (RFC 9421 §7.2.2). */
export interface NonceRegister {
  /**
   * Takes a nonce of a key. `replayed` if it was taken before; `full` if the register holds as many live nonces as
   * it may: it then refuses rather than forgets, because forgetting would let a captured request pass again. For the
   * same reason what was swept stays `replayed` when the clock is set back.
   */
  take(keyId: string, nonce: string, expiresAtMs: number): "taken" | "replayed" | "full";
  /** Signatures created before this time are refused: a former process may have taken them. Milliseconds. */
  readonly sinceMs: number;
}

export interface NonceRegisterOptions {
  readonly clock: Clock;
  /** Default 200,000: 300 s of validity at some 650 requests a second. */
  readonly noncesMax?: number;
}

/** A register in memory. Nonces are unique within one process: several processes behind one address need sticky keys. */
export function createNonceRegister({ clock, noncesMax = 200_000 }: NonceRegisterOptions): NonceRegister {
  const expiries = new Map<string, number>();
  let sweptAtMs = clock.now();

  function sweep(nowMs: number): void {
    sweptAtMs = nowMs;
    for (const [name, expiresAtMs] of expiries) if (expiresAtMs <= nowMs) expiries.delete(name);
  }

  return {
    sinceMs: sweptAtMs,
    take(keyId, nonce, expiresAtMs) {
      const nowMs = clock.now();
      const name = `${keyId}\n${nonce}`;
      const known = expiries.get(name);
      if (expiresAtMs <= sweptAtMs || (known !== undefined && known > nowMs)) return "replayed";
      if (nowMs - sweptAtMs >= 60_000 || (expiries.size >= noncesMax && nowMs - sweptAtMs >= 1_000)) {
        sweep(nowMs);
      }
      if (expiries.size >= noncesMax) return "full";
      expiries.set(name, expiresAtMs);
      return "taken";
    },
  };
}
