import type { Clock, FirstDue, Store, Reads } from "../../ports/index.ts";
import type { DueQueue } from "../model/queues.ts";
import { recoverFromSetBack } from "./clock-set-back.ts";
import type { Lease } from "./lease.ts";
import { healthOfSubscriptions, firstDueDeliveries } from "../../storage/tables/index.ts";

/** Finds due deliveries in the store: retries, and those of other processes and operators. */
export interface DuePoller {
  /** Polls now. */
  wake(): void;
  /** Polls at that time at the latest. */
  wakeBy(timeMs: number): void;
  close(): Promise<void>;
}

export interface DuePollerOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly lease: Lease;
  readonly queues: DueQueue;
  /** Called at each poll. */
  onPoll(): void;
  onFailure(error: unknown): void;
}

const pollEveryMs = 1_000;
/** A poll reads a row of each subscription with something to send. After more than a page it rests for so long a row. */
const restMsEach = 0.2;

/** Polls from the first `wake` on, then every second. */
// oxlint-disable-next-line max-lines-per-function -- every step changes the state of one poller
export function createDuePoller(options: DuePollerOptions): DuePoller {
  const { store, clock, lease, queues, onPoll, onFailure } = options;
  let polling: Promise<void> | undefined;
  let again = false;
  let isClosed = false;
  let nextAtMs = Infinity;
  /** The clock at the last poll. Before the first one it may have been set back, too. */
  let seenMs = Infinity;
  let restMs = 0;
  let endedAtMs = 0;
  let cancel: (() => void) | undefined;

  async function poll(): Promise<void> {
    again = false;
    onPoll();
    const nowMs = clock.now();
    if (nowMs < seenMs) await recoverFromSetBack(store, await firstOfEach(store), lease, nowMs);
    seenMs = nowMs;
    await store.read((view) => readPauses(view, queues));
    const firsts = await firstOfEach(store);
    queues.markDue(
      firsts.filter(({ dueAt = 0 }) => dueAt <= nowMs).map(({ subscriptionId }) => subscriptionId),
    );
    restMs = firsts.length > pageSize ? firsts.length * restMsEach : 0;
    endedAtMs = clock.now();
    wakeBy(earliestAfter(nowMs, firsts));
  }
  function wakeBy(timeMs: number): void {
    if (isClosed || timeMs >= nextAtMs) return;
    cancel?.();
    nextAtMs = timeMs;
    const nowMs = clock.now();
    // No longer than the rest where the clock was set back.
    const leftMs = Math.min(endedAtMs + restMs - nowMs, restMs);
    cancel = clock.schedule(Math.max(timeMs - nowMs, leftMs, 0), wake);
  }
  function wake(): void {
    again = true;
    if (polling !== undefined || isClosed) return;
    cancel?.();
    nextAtMs = Infinity;
    polling = poll()
      .catch(onFailure)
      .finally(() => {
        polling = undefined;
        if (again) wake();
        else wakeBy(clock.now() + pollEveryMs);
      });
  }

  return {
    wake,
    wakeBy,
    async close() {
      isClosed = true;
      cancel?.();
      await polling;
    },
  };
}

/** An order may have ended a pause, in any process. */
async function readPauses(view: Reads, queues: DueQueue): Promise<void> {
  const paused = queues.paused();
  if (paused.length === 0) return;
  const healths = await view.many(healthOfSubscriptions, paused);
  const pauses = new Map(healths.map(({ subscriptionId, pausedUntil }) => [subscriptionId, pausedUntil]));
  for (const id of paused) queues.pauseUntil(id, pauses.get(id) ?? 0);
}

function earliestAfter(nowMs: number, firsts: readonly FirstDue[]): number {
  let earliest = Infinity;
  for (const { dueAt = 0 } of firsts) if (dueAt > nowMs && dueAt < earliest) earliest = dueAt;
  return earliest;
}

/** Subscriptions that are asked for at once: others are served between two questions. */
const pageSize = 256;

/** The delivery of each subscription that is due first. */
async function firstOfEach(store: Store): Promise<readonly FirstDue[]> {
  const firsts: FirstDue[] = [];
  for (;;) {
    const after = firsts.at(-1)?.subscriptionId ?? "";
    const page = await store.read((view) => view.many(firstDueDeliveries, "PENDING", after, 0, pageSize));
    for (const first of page) firsts.push(first);
    if (page.length < pageSize) return firsts;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
