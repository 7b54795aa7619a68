import type {
  DeliveryRecord,
  Writes,
  SubscriptionRecord,
  Clock,
  Store,
  Reads,
  SubscriptionTarget,
} from "../../store/ports/index.ts";
import { releaseNextInOrder, openDeliveriesOf, isTestEvent } from "../model/stored-deliveries.ts";
import { retryWindowMs } from "../model/retry-schedule.ts";
import {
  healthOfSubscription,
  healthForChange,
  endpointHealth,
  deliveryById,
  deliveryByKey,
  openOfSubscription,
  deliveryListing,
  deliveriesById,
  firstOpenDeliveries,
  targetsById,
  cancellationOf,
} from "../../store/tables/index.ts";
import { startBackgroundLoop, type BackgroundLoop } from "../model/loops.ts";

/** Deliveries waiting for a retry, and dead letters, that resuming a subscription makes due, at most. */
const resumedMax = 1_000;

/**
 * Makes a delivery of any state due again, with the whole retry schedule, and ends the pause that its endpoint asked for.
 * In an ordered subscription it waits for earlier events of its topic. A delivery that is claimed or WAITING stays as
 * it is.
 */
export async function redeliver(
  tx: Writes,
  delivery: DeliveryRecord,
  subscription: SubscriptionRecord,
  nowMs: number,
): Promise<DeliveryRecord> {
  await endPause(tx, subscription.id);
  return makeDue(tx, delivery, subscription, nowMs);
}

/** An order is newer than the answer in which the endpoint asked for a pause. */
async function endPause(tx: Writes, subscriptionId: string): Promise<void> {
  const health = await tx.one(healthOfSubscription, subscriptionId);
  if (health?.pausedUntil === undefined) return;
  const { pausedUntil: _paused, ...rest } = (await tx.one(healthForChange, subscriptionId)) ?? health;
  await tx.put(endpointHealth, rest);
}

async function makeDue(
  tx: Writes,
  delivery: DeliveryRecord,
  subscription: SubscriptionRecord,
  nowMs: number,
): Promise<DeliveryRecord> {
  await redeliverEach(tx, [delivery], subscription, nowMs);
  const changed = await tx.one(deliveryById, delivery.institutionId, delivery.id);
  if (changed === undefined) throw new Error(`delivery ${delivery.id} is gone`);
  return changed;
}

/** Redelivers several deliveries of one subscription, in the order of their sequence. */
export async function redeliverAll(
  tx: Writes,
  deliveries: readonly DeliveryRecord[],
  subscription: SubscriptionRecord,
  nowMs: number,
): Promise<void> {
  await endPause(tx, subscription.id);
  await redeliverEach(tx, deliveries, subscription, nowMs);
}

async function redeliverEach(
  tx: Writes,
  deliveries: readonly DeliveryRecord[],
  subscription: SubscriptionRecord,
  nowMs: number,
): Promise<void> {
  const keys = new Set<string>();
  const change = async (delivery: DeliveryRecord): Promise<void> => {
    if (delivery.claimedBy !== undefined || delivery.state === "WAITING") return;
    const [orderingKey] = subscription.ordered && !isTestEvent(delivery) ? delivery.topics : [];
    if (orderingKey !== undefined) keys.add(orderingKey);
    await tx.update(
      deliveryByKey,
      {
        state: orderingKey === undefined ? "PENDING" : "WAITING",
        // Older deliveries are sent first.
        dueAt: Math.min(delivery.createdAt, nowMs),
        failures: 0,
        orderingKey,
        diedAt: undefined,
        deliveredAt: undefined,
        cancelReason: undefined,
      },
      delivery.id,
    );
  };
  // At once: the statements travel together.
  await Promise.all(deliveries.map(change));
  for (const key of keys) await releaseNextInOrder(tx, subscription.id, key, nowMs);
}

/**
 * Makes due what a subscription has missed: held deliveries, retries, and dead letters since its endpoint began to
 * fail. Returns how many. Of held deliveries it releases the first ones itself; `startReleasing` releases the others.
 */
export async function resume(
  tx: Writes,
  subscription: SubscriptionRecord,
  failingSince: number | undefined,
  nowMs: number,
): Promise<number> {
  const { institutionId, id: subscriptionId } = subscription;
  const retried = await retryAll(tx, subscriptionId, nowMs);
  const count = retried + (await tx.count(openOfSubscription, "HELD", subscriptionId, 0));
  await releasePart(tx, { institutionId, subscriptionId }, "HELD", nowMs);
  if (failingSince === undefined) return count;
  const dead = await tx.page(
    deliveryListing({
      institutionId,
      subscriptionId,
      state: "DEAD",
      from: failingSince - retryWindowMs,
      limit: resumedMax,
    }),
  );
  const missed = dead.filter(({ diedAt = 0 }) => diedAt >= failingSince);
  await redeliverAll(tx, missed, subscription, nowMs);
  return count + missed.length;
}

/** Makes due what waits for another attempt, with the whole schedule before it. Returns how many. */
export async function retryAll(tx: Writes, subscriptionId: string, nowMs: number): Promise<number> {
  const pending = await openDeliveriesOf(tx, subscriptionId, "PENDING", resumedMax);
  const retried = pending.filter(({ claimedBy }) => claimedBy === undefined);
  await tx.update(
    deliveriesById,
    { dueAt: nowMs, failures: 0 },
    retried.map(({ id }) => id),
  );
  return retried.length;
}

interface ReleasingOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** Subscriptions with a delivery that is due now. */
  onDue(subscriptionIds: readonly string[]): void;
  onFailure(error: unknown): void;
}

/** Deliveries released in one transaction, at most: other writers wait for it. */
export const releasedAtOnce = 500;
/** Subscriptions looked at at once. */
const lookedAtOnce = 50;
const everyMs = 60_000;

type ReleasedState = "HELD" | "WAITING";

/**
 * Releases deliveries in the background, some in each transaction. They were held until their subscription was enabled
 * again, or they wait in a subscription that is no longer ordered.
 */
export function startReleasing({ store, clock, onDue, onFailure }: ReleasingOptions): BackgroundLoop {
  /** Where the next part goes on. */
  let state: ReleasedState = "HELD";
  let after = "";

  /** Gives where to go on in this state; nothing at its end. */
  async function releaseNext(): Promise<string | undefined> {
    const { delivery, next } = await store.read((view) => lookAfter(view, state, after));
    if (delivery === undefined) return next;
    const isMore = await store.write((tx) => releasePart(tx, delivery, state, clock.now()));
    onDue([delivery.subscriptionId]);
    return isMore ? after : delivery.subscriptionId;
  }

  return startBackgroundLoop({
    clock,
    everyMs,
    onFailure,
    async part() {
      let next: string | undefined;
      try {
        next = await releaseNext();
        return next !== undefined || state === "HELD";
      } finally {
        // After a failure, too: what fails in one state holds up nothing in the other.
        after = next ?? "";
        if (next === undefined) state = state === "HELD" ? "WAITING" : "HELD";
      }
    },
  });
}

interface Looked {
  /** A delivery of the first subscription found that has some to release. */
  readonly delivery?: DeliveryRecord;
  /** Where to look next; absent at the end. */
  readonly next?: string;
}

async function lookAfter(view: Reads, state: ReleasedState, after: string): Promise<Looked> {
  const firsts = await view.many(firstOpenDeliveries, state, after, 0, lookedAtOnce);
  for (const delivery of firsts) {
    const { institutionId, subscriptionId } = delivery;
    const [subscription] = await view.many(targetsById, institutionId, [subscriptionId]);
    if (isReleasing(subscription, state)) return { delivery };
  }
  const last = firsts.at(-1);
  return firsts.length < lookedAtOnce || last === undefined ? {} : { next: last.subscriptionId };
}

function isReleasing(
  subscription: SubscriptionTarget | undefined,
  state: ReleasedState,
): subscription is SubscriptionTarget {
  if (subscription === undefined) return false;
  return state === "HELD" ? subscription.enabled : !subscription.ordered;
}

/** Releases some deliveries of a subscription. Returns whether there may be more. */
export async function releasePart(
  tx: Writes,
  { institutionId, subscriptionId }: Pick<DeliveryRecord, "institutionId" | "subscriptionId">,
  state: ReleasedState,
  nowMs: number,
): Promise<boolean> {
  const [subscription] = await tx.many(targetsById, institutionId, [subscriptionId]);
  if (!isReleasing(subscription, state)) return false;
  if ((await tx.one(cancellationOf, subscriptionId)) !== undefined) return false;
  const open = await openDeliveriesOf(tx, subscriptionId, state, releasedAtOnce);
  const { ordered } = subscription;
  await tx.update(
    deliveriesById,
    { state: ordered ? "WAITING" : "PENDING", dueAt: nowMs, ...(state === "HELD" && { failures: 0 }) },
    open.map(({ id }) => id),
  );
  const keys = new Set(open.map(({ orderingKey }) => orderingKey));
  if (ordered)
    for (const key of keys) if (key !== undefined) await releaseNextInOrder(tx, subscriptionId, key, nowMs);
  return open.length === releasedAtOnce;
}
