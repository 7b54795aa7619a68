import type { Store, StoreTransaction, TransactOptions } from "../../ports/index.ts";
import type { DeliveryJob } from "./delivery-job.ts";

/**
 * Transactions of one loop that claim deliveries. Where the store rejects one, it may have committed it: the connection
 * was lost before the answer. Then its claims are in the store and its jobs in no queue, and everyone would wait for their end.
 */
export interface ClaimTransactions {
  /** Runs `work`, whose result has the jobs that it claims. Rejects as the store does; `recovered` then finds the jobs. */
  transact<T>(
    work: (tx: StoreTransaction) => Promise<T>,
    jobsOf: (result: T) => readonly DeliveryJob[],
    options: TransactOptions,
  ): Promise<T>;
  /** The jobs of rejected transactions whose claims the store holds, each once. */
  recovered(nowMs: number): Promise<readonly DeliveryJob[]>;
  /** Whether `recovered` is to be asked again: a commit may still arrive at the server. */
  isUnknown(): boolean;
}

export function createClaimTransactions(store: Store): ClaimTransactions {
  /** By identifier: claims that may have been committed. They end by themselves. */
  const unknown = new Map<string, DeliveryJob>();

  return {
    async transact(work, jobsOf, options) {
      let jobs: readonly DeliveryJob[] = [];
      try {
        const result = await store.transact(async (tx) => {
          const done = await work(tx);
          jobs = jobsOf(done);
          return done;
        }, options);
        for (const { delivery } of jobs) unknown.delete(delivery.id);
        return result;
      } catch (error) {
        for (const job of jobs) unknown.set(job.delivery.id, job);
        throw error;
      }
    },
    async recovered(nowMs) {
      if (unknown.size === 0) return [];
      const jobs = [...unknown.values()];
      const held = await store.read(async (view) => {
        const found = await Promise.all(
          jobs.map(({ delivery }) => view.deliveries.find(delivery.institutionId, delivery.id)),
        );
        return jobs.filter(({ delivery }, index) => {
          const { claimedBy, dueAt } = found[index] ?? {};
          return claimedBy === delivery.claimedBy && dueAt === delivery.dueAt;
        });
      });
      for (const { delivery } of held) unknown.delete(delivery.id);
      for (const [id, { delivery }] of unknown) if ((delivery.dueAt ?? 0) <= nowMs) unknown.delete(id);
      return held;
    },
    isUnknown: () => unknown.size > 0,
  };
}
