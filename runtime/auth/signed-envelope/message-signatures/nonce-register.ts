import type { Clock, Store } from "../../../store/ports/index.ts";
import type { NonceRegister } from "../../auth-services.ts";
import { createNonceCounts } from "./nonce-counts.ts";
import { noncesOf } from "../../../store/tables/index.ts";
import { removeExpiredNonces, takeNonce } from "./nonces.ts";

export interface NonceRegisterOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** Live nonces an owner may have. Default 50,000: 300 s of validity at 166 requests a second, 60 s at 833. */
  readonly perOwnerMax?: number;
}

/** Nonces are removed that long after they expired: clocks of several processes may differ by as much. */
const keptAfterExpiryMs = 60_000;
const removedEveryMs = 10_000;
/** How many one request removes at most beside what it is for: some milliseconds. */
const removedPerRequestMax = 200;

/** One for the process. */
export function createNonceRegister({
  store,
  clock,
  perOwnerMax = 50_000,
}: NonceRegisterOptions): NonceRegister {
  let removesAtMs = clock.now() + removedEveryMs;
  const counts = createNonceCounts(({ owner }) =>
    store.read((view) => view.count(noncesOf, owner, clock.now())),
  );

  /** Whether this request also removes what has expired. */
  function isTimeToRemove(nowMs: number): boolean {
    if (nowMs < removesAtMs && nowMs >= removesAtMs - removedEveryMs) return false;
    removesAtMs = nowMs + removedEveryMs;
    return true;
  }

  return {
    async take({ institutionId, ...record }) {
      const nowMs = clock.now();
      const count = await counts.of({ owner: record.owner, institutionId }, nowMs);
      if (count.live(nowMs) >= perOwnerMax) return { kind: "full", retryAfterMs: count.freeAfterMs(nowMs) };
      count.add(record.expiresAt);
      const removes = isTimeToRemove(nowMs);
      let isTaken = false;
      try {
        isTaken = await store.write(
          async (tx) => {
            if (removes) {
              const removed = await removeExpiredNonces(tx, nowMs - keptAfterExpiryMs, removedPerRequestMax);
              if (removed >= removedPerRequestMax / 2) removesAtMs = nowMs;
            }
            return takeNonce(tx, record);
          },
          { caller: record.owner },
        );
      } finally {
        if (!isTaken) count.remove(record.expiresAt);
      }
      return { kind: isTaken ? "taken" : "replayed" };
    },
  };
}
