import type { Clock, Store, Writes } from "../../store/ports/index.ts";
import type { OwnerMailing } from "../maintenance/disable-endpoint.ts";
import type { JobResult } from "../model/attempt-outcome.ts";
import { answerMsMax, endedOrLate, createSignal, type Signal } from "../model/loops.ts";
import type { ResultQueue } from "../model/queues.ts";
import { recordOutcomes, type FollowUps } from "./record-outcomes.ts";

/**
 * The last loop of delivery: stores results of jobs in batches. A batch takes 20 ms to gather, unless the next event
 * of an ordered topic or a released delivery depends on it. The next batch waits for it, but not where its answer is
 * late: then results of other subscriptions are stored meanwhile.
 */
export interface OutcomeWriter extends ResultQueue {
  /** Stores the results that are left. Those that the store refuses are lost: their claims end by themselves. */
  close(): Promise<void>;
}

export interface OutcomeWriterOptions extends OwnerMailing {
  readonly store: Store;
  readonly clock: Clock;
  /** Hands the work that follows from a stored batch to the queues of the other loops. */
  onRecorded(results: readonly JobResult[], followUps: FollowUps): void;
  onFailure(error: unknown): void;
}

const retryAfterMs = 1_000;
/** Results that arrive within this time share a transaction, so many at most: other writers wait for it. */
const gatheredMs = 20;
const gatheredMax = 256;
/** After so long the next batch begins beside one that is under way. */
const lateAfterMs = 250;
/** Batches under way at once: all but one of them late. */
const batchesMax = 4;

// oxlint-disable-next-line max-lines-per-function -- every step changes what waits and what is under way
export function startOutcomeWriter(options: OutcomeWriterOptions): OutcomeWriter {
  const { clock } = options;
  const changed = createSignal();
  const urgent = createSignal();
  const closing = Promise.withResolvers<void>();
  let waiting: JobResult[] = [];
  /** The batches under way, each with its queues: their other results wait for it. */
  const batches = new Set<ReadonlySet<string>>();
  let isClosed = false;
  const running = run();

  async function run(): Promise<void> {
    for (;;) {
      if (batches.size < batchesMax && waiting.some(isFree)) await recordNext();
      else if (isClosed && waiting.length + batches.size === 0) return;
      else {
        await changed.wait();
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
  }
  /** Whether no batch under way has results of the same queue. */
  function isFree(result: JobResult): boolean {
    return batches.values().every((queues) => !queues.has(queueOf(result)));
  }
  /** Begins a batch. Resolves when it has ended, or is late. */
  async function recordNext(): Promise<void> {
    if (!isClosed) await wokenWithin(gatheredMs, urgent);
    const batch = waiting.filter(isFree).slice(0, gatheredMax);
    if (batch.length === 0) return;
    const taken = new Set(batch);
    waiting = waiting.filter((result) => !taken.has(result));
    const queues = new Set(batch.map(queueOf));
    batches.add(queues);
    const ended = recordBatch(batch).finally(() => {
      batches.delete(queues);
      changed.wake();
    });
    await endedOrLate(ended, clock, lateAfterMs);
  }
  async function recordBatch(batch: readonly JobResult[]): Promise<void> {
    for (;;) {
      try {
        return await storeBatch(batch);
      } catch {
        if (isClosed) return;
      }
      const retry = Promise.withResolvers<void>();
      const cancel = clock.schedule(retryAfterMs, retry.resolve);
      await Promise.race([retry.promise, closing.promise]);
      cancel();
    }
  }
  /** Stores a batch; once more beside a transaction that is not answered. Where that was committed, no claim holds any more. */
  async function storeBatch(batch: readonly JobResult[]): Promise<void> {
    const isClaim = batch.every(isCounted);
    let unstored = batch;
    const store = async (): Promise<void> => {
      const nowMs = clock.now();
      const work = (tx: Writes): Promise<FollowUps> => recordOutcomes(tx, batch, { ...options, nowMs });
      try {
        // Repeatable: a result that is lost is sent again, as after a crash.
        const followUps = await options.store.write(work, { isRepeatable: true, isClaim });
        options.onRecorded(unstored, followUps);
        unstored = [];
      } catch (error) {
        options.onFailure(error);
        throw error;
      }
    };
    const first = store();
    const isLate = (await endedOrLate(first, clock, answerMsMax)) === "late";
    await (isLate ? Promise.any([first, store()]) : first);
  }

  return {
    add(result) {
      waiting.push(result);
      changed.wake();
      if (isUrgent(result) || waiting.length >= gatheredMax) urgent.wake();
    },
    async close() {
      isClosed = true;
      closing.resolve();
      changed.wake();
      urgent.wake();
      await running;
    },
  };
}

async function wokenWithin(timeMs: number, signal: Signal): Promise<void> {
  const timeout = setTimeout(signal.wake, timeMs);
  await signal.wait();
  clearTimeout(timeout);
}

/** What is stored in order: the results of a subscription. Mails depend on none of their kind. */
function queueOf(result: JobResult): string {
  return result.kind === "mail" ? result.mail.id : result.delivery.subscriptionId;
}

/** Whether nothing but the job and the counts of its endpoint depend on the result. */
function isCounted(result: JobResult): boolean {
  if (result.kind === "mail") return true;
  const { kind, delivery } = result;
  return kind === "attempted" && result.outcome.failure === undefined && delivery.orderingKey === undefined;
}

/** Whether another delivery may depend on the result. */
function isUrgent(result: JobResult): boolean {
  if (result.kind === "mail") return false;
  return result.kind === "released" || result.delivery.orderingKey !== undefined;
}
