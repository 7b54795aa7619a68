import type { Clock, Store } from "../../store/ports/index.ts";
import { institutionsByName, finishedBefore } from "../../store/tables/index.ts";
import { removeDelivery } from "../model/stored-deliveries.ts";

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
  for (const { id: institutionId } of await store.read((view) => view.many(institutionsByName))) {
    for (const state of ["DELIVERED", "CANCELLED"] as const) {
      // A look first: where nothing is old enough, nothing is written.
      const [old] = await store.read((view) => view.many(finishedBefore, institutionId, before, state, 1));
      let removed = old === undefined ? 0 : prunedAtOnce;
      while (removed === prunedAtOnce && !isClosed()) {
        removed = await store.write(async (tx) => {
          const old = await tx.many(finishedBefore, institutionId, before, state, prunedAtOnce);
          for (const delivery of old) await removeDelivery(tx, delivery);
          return old.length;
        });
      }
    }
  }
}
