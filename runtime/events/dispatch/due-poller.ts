import type {
  Clock,
  FirstDue,
  Store,
  Reads,
  DeliveryRecord,
  EndpointHealthRecord,
  Writes,
} from "../../store/ports/index.ts";
import { createPoller, type Looked, type Poller } from "../model/loops.ts";
import type { DueQueue } from "../model/queues.ts";
import type { Lease } from "../model/claim-transactions.ts";
import {
  healthOfSubscriptions,
  firstDueDeliveries,
  healthOfSubscription,
  healthForChange,
  deliveriesById,
  endpointHealth,
  deliveriesDueAfter,
} from "../../store/tables/index.ts";
import { longestDelayMs, notifyOwnerAfterMs, retryAfterMsMax } from "../model/retry-schedule.ts";

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

/** Another process's clock is ahead by less: more says that the clock was set back since. */
const skewMs = 60_000;
/** Deliveries that are made due in one transaction, at most: other writers wait for it. */
const recoveredAtOnce = 1_000;
/** Deliveries of a subscription that are looked at to see whether any is affected. The last to be due come first. */
const lookedAtOnce = 64;

/**
 * Makes due what a clock that was set back would delay: retries, pauses, deliveries that were due at once, and claims
 * of processes that are gone. `firsts` has a delivery of each subscription that has any to send.
 */
export async function recoverFromSetBack(
  store: Store,
  firsts: readonly FirstDue[],
  lease: Lease,
  nowMs: number,
): Promise<void> {
  for (const { subscriptionId } of firsts) {
    const isAffected = await store.read(async (view) => {
      const health = await view.one(healthOfSubscription, subscriptionId);
      if (isAhead(health, nowMs)) return true;
      return (await lateOf(view, subscriptionId, lookedAtOnce, { health, lease, nowMs })).length > 0;
    });
    for (let isMore = isAffected; isMore;)
      isMore = await store.write((tx) => recoverPart(tx, subscriptionId, lease, nowMs));
  }
}

/** Returns whether there may be more. */
async function recoverPart(
  tx: Writes,
  subscriptionId: string,
  lease: Lease,
  nowMs: number,
): Promise<boolean> {
  const health = await tx.one(healthForChange, subscriptionId);
  const late = await lateOf(tx, subscriptionId, recoveredAtOnce, { health, lease, nowMs });
  await tx.update(
    deliveriesById,
    { dueAt: nowMs, claimedBy: undefined },
    late.map(({ id }) => id),
  );
  if (late.length === recoveredAtOnce) return true;
  if (!isAhead(health, nowMs)) return false;
  const { pausedUntil: _paused, ...rest } = health;
  const isAllAhead = (health.failingSince ?? 0) > nowMs;
  await tx.put(endpointHealth, {
    ...rest,
    lastFailedAt: nowMs,
    ...(isAllAhead && { failingSince: nowMs, reviewAt: nowMs + notifyOwnerAfterMs }),
  });
  return false;
}

interface Waits {
  readonly health: EndpointHealthRecord | undefined;
  readonly lease: Lease;
  readonly nowMs: number;
}

/** Deliveries of a subscription that would be waited for longer than anything is. */
async function lateOf(
  view: Reads,
  subscriptionId: string,
  limit: number,
  { health, lease, nowMs }: Waits,
): Promise<readonly DeliveryRecord[]> {
  const waiting = await view.many(deliveriesDueAfter, "PENDING", subscriptionId, nowMs, limit);
  return waiting.filter((delivery) =>
    delivery.claimedBy === undefined
      ? isAhead(health, nowMs) || outlastsWaits(delivery, health, lease, nowMs)
      : outlastsClaims(delivery, lease, nowMs),
  );
}

/**
 * Whether it waits for longer than the schedule lets anything wait. One that did not fail is due at once, or when a process
 * releases it, or at the end of a pause.
 */
function outlastsWaits(
  { failures, dueAt = 0 }: DeliveryRecord,
  health: EndpointHealthRecord | undefined,
  lease: Lease,
  nowMs: number,
): boolean {
  const pauseMs = (health?.pausedUntil ?? 0) - nowMs;
  const longestMs =
    failures === 0 ? Math.max(lease.claimMs, pauseMs) : Math.max(longestDelayMs(failures), retryAfterMsMax);
  return dueAt - nowMs > longestMs + skewMs;
}

/** Whether the endpoint's last failure is in the future: what waits since then was stored before the clock was set back. */
function isAhead(health: EndpointHealthRecord | undefined, nowMs: number): health is EndpointHealthRecord {
  return (health?.lastFailedAt ?? 0) > nowMs + skewMs;
}

/** Whether it is claimed for longer than anything is. A process ends its own claims itself, whatever the time is. */
function outlastsClaims({ claimedBy, dueAt = 0 }: DeliveryRecord, lease: Lease, nowMs: number): boolean {
  const isOfOther = claimedBy !== undefined && claimedBy !== lease.claimedBy;
  return isOfOther && dueAt - nowMs > lease.claimMs + skewMs;
}
