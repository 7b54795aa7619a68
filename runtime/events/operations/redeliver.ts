import type { DeliveryRecord, Writes, SubscriptionRecord } from "../../store/ports/index.ts";
import { releaseNextInOrder } from "../model/ordering.ts";
import { releasePart } from "./release.ts";
import { retryWindowMs } from "../model/retry-schedule.ts";
import { isTestEvent } from "../model/test-event.ts";
import {
  healthOfSubscription,
  healthForChange,
  endpointHealth,
  deliveryById,
  deliveryByKey,
  openOfSubscription,
  deliveryListing,
  deliveriesById,
} from "../../store/tables/index.ts";
import { openDeliveriesOf } from "../model/stored-deliveries.ts";

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
