import type { Clock, Store, Writes, WriteOptions } from "../../ports/index.ts";
import type { DeliveryJob } from "./delivery-job.ts";
import { endedOrLate } from "./ended-or-late.ts";
import { deliveryById } from "../../storage/tables/index.ts";

/**
 * Transactions of one loop that claim deliveries. Where the store rejects one, it may have committed it: the connection
 * was lost before the answer. Then its claims are in the store and its jobs in no queue, and everyone would wait for their end.
 */
export interface ClaimTransactions {
  /** Runs `work`, whose result has the jobs that it claims. Rejects as the store does; `recovered` then finds the jobs. */
  transact<T>(
    work: (tx: Writes) => Promise<T>,
    jobsOf: (result: T) => readonly DeliveryJob[],
    options: WriteOptions,
  ): Promise<T>;
  /** The jobs of rejected transactions whose claims the store holds, each once. */
  recovered(nowMs: number): Promise<readonly DeliveryJob[]>;
  /** Whether `recovered` is to be asked again: a commit may still arrive at the server. */
  isUnknown(): boolean;
}

/** Rejects transactions that are not answered in time, so that one lost answer does not stop the loop. */
export interface AnswerLimit {
  readonly clock: Clock;
  readonly answerMsMax: number;
}

/** Transactions without an answer: beside so many, the next one is waited for. */
const unansweredMax = 3;

export function createClaimTransactions(store: Store, limit: AnswerLimit): ClaimTransactions {
  /** By identifier: claims that may have been committed. They end by themselves. */
  const unknown = new Map<string, DeliveryJob>();
  let unanswered = 0;

  async function isLate(answer: Promise<unknown>): Promise<boolean> {
    if (unanswered >= unansweredMax) return false;
    return (await endedOrLate(answer, limit.clock, limit.answerMsMax)) === "late";
  }

  return {
    async transact(work, jobsOf, options) {
      let jobs: readonly DeliveryJob[] = [];
      const noteUnknown = (except: readonly DeliveryJob[] = []): void => {
        for (const job of jobs) if (!except.includes(job)) unknown.set(job.delivery.id, job);
      };
      const answer = store.write(async (tx) => {
        const done = await work(tx);
        jobs = jobsOf(done);
        return done;
      }, options);
      if (await isLate(answer)) {
        unanswered += 1;
        const known = jobs;
        noteUnknown();
        const answered = (): void => {
          unanswered -= 1;
          noteUnknown(known);
        };
        answer.then(answered, answered);
        throw new Error(`the store has not answered a transaction of deliveries for ${limit.answerMsMax} ms`);
      }
      try {
        const result = await answer;
        for (const { delivery } of jobs) unknown.delete(delivery.id);
        return result;
      } catch (error) {
        noteUnknown();
        throw error;
      }
    },
    async recovered(nowMs) {
      if (unknown.size === 0) return [];
      const jobs = [...unknown.values()];
      const held = await store.read(async (view) => {
        const found = await Promise.all(
          jobs.map(({ delivery }) => view.one(deliveryById, delivery.institutionId, delivery.id)),
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
    isUnknown: () => unknown.size + unanswered > 0,
  };
}
