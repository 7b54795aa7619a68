import type { Clock, IdSource, Store, StoreTransaction } from "../../ports/index.ts";
import { recordOutcomes, type FollowUps, type AttemptResult } from "./record-outcomes.ts";

/**
 * Writes down what became of deliveries, many to a commit. A little later costs nobody anything but those who wait for
 * the outcome: an ordered account's next event, and retries.
 */
export interface OutcomeWriter {
  add(settled: AttemptResult): void;
  /** Resolves once everything added so far is written down, or immediately. */
  drained(): Promise<void>;
  readonly isIdle: boolean;
  /** Gives up what cannot be written: its claims end by themselves. */
  stopRetrying(): void;
}

export interface OutcomeWriterOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: IdSource;
  onWritten(batch: readonly AttemptResult[], consequences: FollowUps): void;
  onFailure(error: unknown): void;
}

const retryAfterMs = 1_000;
/** What ends within so long, or so many, shares a commit. */
const gatheredMs = 20;
const gatheredMax = 256;

export function startOutcomeWriter(options: OutcomeWriterOptions): OutcomeWriter {
  const { store, clock, ids } = options;
  let waiting: AttemptResult[] = [];
  let writing: Promise<void> | undefined;
  let retries = true;
  let isUrgent = false;
  let endGathering: (() => void) | undefined;

  async function gather(): Promise<void> {
    if (!isUrgent) {
      await new Promise<void>((resolve) => {
        endGathering = resolve;
        setTimeout(resolve, gatheredMs);
      });
    }
    isUrgent = false;
  }
  async function writeAll(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.length > 0) {
      await gather();
      const batch = waiting;
      waiting = [];
      try {
        const nowMs = clock.now();
        const work = (tx: StoreTransaction): Promise<FollowUps> => recordOutcomes(tx, batch, { ids, nowMs });
        // What is lost is sent again, as it is when the service is killed.
        const consequences = await store.transact(work, { isRepeatable: true });
        options.onWritten(batch, consequences);
      } catch (error) {
        options.onFailure(error);
        if (!retries) return;
        waiting = [...batch, ...waiting];
        await new Promise<void>((resolve) => void clock.schedule(retryAfterMs, resolve));
      }
    }
  }
  function write(): void {
    writing ??= writeAll().finally(() => {
      writing = undefined;
      if (waiting.length > 0 && retries) write();
    });
  }
  function hurry(): void {
    isUrgent = true;
    endGathering?.();
  }

  return {
    add(settled) {
      waiting.push(settled);
      if (!retries || isUrgentResult(settled) || waiting.length >= gatheredMax) hurry();
      write();
    },
    drained: async () => writing,
    get isIdle() {
      return writing === undefined;
    },
    stopRetrying() {
      retries = false;
      hurry();
    },
  };
}

/** Whether somebody may be waiting for the outcome. */
function isUrgentResult({ kind, delivery }: AttemptResult): boolean {
  return kind === "released" || delivery.orderingKey !== undefined;
}
