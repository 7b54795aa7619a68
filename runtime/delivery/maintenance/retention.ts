import type { Clock, Store } from "../../ports/index.ts";

const dayMs = 24 * 60 * 60 * 1_000;
const prunedAtOnce = 200;

export interface RetentionOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly retentionDays: number;
}

/**
 * Removes delivered and cancelled deliveries older than `retentionDays`, with their attempts; dead letters stay.
 * Removes 200 deliveries per transaction, so that other writers wait briefly.
 */
export async function pruneDeliveries(
  { store, clock, retentionDays }: RetentionOptions,
  isClosed: () => boolean,
): Promise<void> {
  const before = clock.now() - retentionDays * dayMs;
  for (const { id: institutionId } of await store.read((view) => view.institutions.list())) {
    for (const state of ["DELIVERED", "CANCELLED"] as const) {
      // A look first: where nothing is old enough, nothing is written.
      const [old] = await store.read((view) =>
        view.deliveries.finishedBefore(institutionId, state, before, 1),
      );
      let removed = old === undefined ? 0 : prunedAtOnce;
      while (removed === prunedAtOnce && !isClosed()) {
        removed = await store.transact(async (tx) => {
          const old = await tx.deliveries.finishedBefore(institutionId, state, before, prunedAtOnce);
          for (const delivery of old) await tx.deliveries.remove(delivery);
          return old.length;
        });
      }
    }
  }
}
