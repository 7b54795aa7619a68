import type { Clock, FirstDue, Store, Reads } from "../../store/ports/index.ts";
import { createPoller, type Looked, type Poller } from "../model/poller.ts";
import type { DueQueue } from "../model/queues.ts";
import { recoverFromSetBack } from "./clock-set-back.ts";
import type { Lease } from "./lease.ts";
import { healthOfSubscriptions, firstDueDeliveries } from "../../store/tables/index.ts";

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

/** Finds due deliveries in the store: retries, and those of other processes and operators. */
export function createDuePoller(options: DuePollerOptions): Poller {
  const { store, clock, lease, queues, onPoll, onFailure } = options;

  async function look(nowMs: number, isSetBack: boolean): Promise<Looked> {
    onPoll();
    if (isSetBack) await recoverFromSetBack(store, await firstOfEach(store), lease, nowMs);
    await store.read((view) => readPauses(view, queues));
    const firsts = await firstOfEach(store);
    queues.markDue(
      firsts.filter(({ dueAt = 0 }) => dueAt <= nowMs).map(({ subscriptionId }) => subscriptionId),
    );
    return {
      nextAtMs: earliestAfter(nowMs, firsts),
      restMs: firsts.length > pageSize ? firsts.length * restMsEach : 0,
    };
  }

  return createPoller({ clock, everyMs: pollEveryMs, look, onFailure });
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
