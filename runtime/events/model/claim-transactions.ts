import type {
  Clock,
  DeliveryRecord,
  OutboxMailRecord,
  Store,
  Writes,
  Reads,
  WriteOptions,
} from "../../store/ports/index.ts";
import type { DeliveryJob } from "./queues.ts";
import { endedOrLate } from "./loops.ts";
import { deliveryById, mailOfInstitution } from "../../store/tables/index.ts";

/**
 * Transactions of one loop that claim jobs. Where the store rejects one, it may have committed it: the connection was
 * lost before the answer. Then its claims are in the store and its jobs in no queue, and everyone would wait for their end.
 */
export interface ClaimTransactions<Job> {
  /** Runs `work`, whose result has the jobs that it claims. Rejects as the store does; `recovered` then finds the jobs. */
  transact<T>(
    work: (tx: Writes) => Promise<T>,
    jobsOf: (result: T) => readonly Job[],
    options: WriteOptions,
  ): Promise<T>;
  /** The jobs of rejected transactions whose claims the store holds, each once. */
  recovered(nowMs: number): Promise<readonly Job[]>;
  /** Whether `recovered` is to be asked again: a commit may still arrive at the server. */
  isUnknown(): boolean;
}

/** Rejects transactions that are not answered in time, so that one lost answer does not stop the loop. */
export interface AnswerLimit {
  readonly clock: Clock;
  readonly answerMsMax: number;
}

type Claim = Pick<DeliveryRecord | OutboxMailRecord, "id" | "claimedBy" | "dueAt">;

/** Jobs that are claimed alike, whatever they are. */
interface ClaimedKind<Job> {
  /** The claim as this process knows it. */
  claimOf(job: Job): Claim;
  /** The claim that the store has. */
  stored(view: Reads, job: Job): Promise<Claim | undefined>;
}

export function createClaimTransactions(store: Store, limit: AnswerLimit): ClaimTransactions<DeliveryJob> {
  return claimTransactionsOf(store, limit, {
    claimOf: ({ delivery }) => delivery,
    stored: (view, { delivery: { institutionId, id } }) => view.one(deliveryById, institutionId, id),
  });
}

export function mailClaimTransactions(store: Store, limit: AnswerLimit): ClaimTransactions<OutboxMailRecord> {
  return claimTransactionsOf(store, limit, {
    claimOf: (mail) => mail,
    // One that an earlier release wrote waits for the end of its claim.
    stored: (view, { institutionId, id }) =>
      institutionId === undefined
        ? Promise.resolve(undefined)
        : view.one(mailOfInstitution, institutionId, id),
  });
}

/** Transactions without an answer: beside so many, the next one is waited for. */
const unansweredMax = 3;

function claimTransactionsOf<Job>(
  store: Store,
  limit: AnswerLimit,
  { claimOf, stored }: ClaimedKind<Job>,
): ClaimTransactions<Job> {
  /** By identifier: claims that may have been committed. They end by themselves. */
  const unknown = new Map<string, Job>();
  let unanswered = 0;

  async function isLate(answer: Promise<unknown>): Promise<boolean> {
    if (unanswered >= unansweredMax) return false;
    return (await endedOrLate(answer, limit.clock, limit.answerMsMax)) === "late";
  }

  return {
    async transact(work, jobsOf, options) {
      let jobs: readonly Job[] = [];
      const noteUnknown = (except: readonly Job[] = []): void => {
        for (const job of jobs) if (!except.includes(job)) unknown.set(claimOf(job).id, job);
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
        for (const job of jobs) unknown.delete(claimOf(job).id);
        return result;
      } catch (error) {
        noteUnknown();
        throw error;
      }
    },
    async recovered(nowMs) {
      if (unknown.size === 0) return [];
      const jobs = [...unknown.values()];
      const found = await store.read((view) => Promise.all(jobs.map((job) => stored(view, job))));
      const held = jobs.filter((job, index) => isSame(found[index], claimOf(job)));
      for (const job of held) unknown.delete(claimOf(job).id);
      for (const [id, job] of unknown) if ((claimOf(job).dueAt ?? 0) <= nowMs) unknown.delete(id);
      return held;
    },
    isUnknown: () => unknown.size + unanswered > 0,
  };
}

function isSame(found: Claim | undefined, { claimedBy, dueAt }: Claim): boolean {
  return found?.claimedBy === claimedBy && found?.dueAt === dueAt;
}

/** How long this process holds a claim on a delivery. */
export interface Lease {
  /** Identifies the process in `claimedBy`. */
  readonly claimedBy: string;
  /** Length of a new claim. */
  readonly claimMs: number;
  /** An attempt does not begin if the claim ends sooner. */
  readonly remainingMsMin: number;
}

/** A claim outlasts the longest attempt by this: it also covers waiting in a queue and recording the result. */
const marginMs = 45_000;
/** The part of the margin that is kept for recording the result. */
const recordingMs = 5_000;

export function leaseOf(claimedBy: string, timeoutMs: number): Lease {
  return { claimedBy, claimMs: timeoutMs + marginMs, remainingMsMin: timeoutMs + recordingMs };
}
