import type { Clock, IdSource, Store, StoreTransaction } from "../../ports/index.ts";
import type { AttemptResult } from "../model/attempt-outcome.ts";
import type { ResultQueue } from "../model/queues.ts";
import { createSignal, type Signal } from "../model/signal.ts";
import { recordOutcomes, type FollowUps } from "./record-outcomes.ts";

/**
 * The last loop of delivery: stores attempt results in batches. A batch takes 20 ms to gather, unless the next event
 * of an ordered account or a released delivery depends on it.
 */
export interface OutcomeWriter extends ResultQueue {
  /** Stores the results that are left. Those that the store refuses are lost: their claims end by themselves. */
  close(): Promise<void>;
}

export interface OutcomeWriterOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: IdSource;
  /** Hands the work that follows from a stored batch to the queues of the other loops. */
  onRecorded(count: number, followUps: FollowUps): void;
  onFailure(error: unknown): void;
}

const retryAfterMs = 1_000;
/** Results that arrive within this time, or so many, share a transaction. */
const gatheredMs = 20;
const gatheredMax = 256;

export function startOutcomeWriter(options: OutcomeWriterOptions): OutcomeWriter {
  const { store, clock, ids } = options;
  const added = createSignal();
  const urgent = createSignal();
  const retry = createSignal();
  let waiting: AttemptResult[] = [];
  let isClosed = false;
  const running = run();

  async function run(): Promise<void> {
    for (;;) {
      if (waiting.length > 0) {
        await recordBatch();
        continue;
      }
      if (isClosed) return;
      await added.wait();
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  async function recordBatch(): Promise<void> {
    if (!isClosed) await wokenWithin(gatheredMs, urgent);
    const batch = waiting;
    waiting = [];
    const nowMs = clock.now();
    const work = (tx: StoreTransaction): Promise<FollowUps> => recordOutcomes(tx, batch, { ids, nowMs });
    const isClaim = batch.every(isCounted);
    try {
      // Repeatable: a result that is lost is sent again, as after a crash.
      options.onRecorded(batch.length, await store.transact(work, { isRepeatable: true, isClaim }));
    } catch (error) {
      options.onFailure(error);
      if (isClosed) return;
      waiting = [...batch, ...waiting];
      const cancel = clock.schedule(retryAfterMs, retry.wake);
      await retry.wait();
      cancel();
    }
  }

  return {
    add(result) {
      waiting.push(result);
      added.wake();
      if (isUrgent(result) || waiting.length >= gatheredMax) urgent.wake();
    },
    async close() {
      isClosed = true;
      added.wake();
      urgent.wake();
      retry.wake();
      await running;
    },
  };
}

async function wokenWithin(timeMs: number, signal: Signal): Promise<void> {
  const timeout = setTimeout(signal.wake, timeMs);
  await signal.wait();
  clearTimeout(timeout);
}

/** Whether nothing but the delivery and the counts of its endpoint depend on the result. */
function isCounted(result: AttemptResult): boolean {
  const { kind, delivery } = result;
  return kind === "attempted" && result.outcome.failure === undefined && delivery.orderingKey === undefined;
}

/** Whether another delivery may depend on the result. */
function isUrgent({ kind, delivery }: AttemptResult): boolean {
  return kind === "released" || delivery.orderingKey !== undefined;
}
