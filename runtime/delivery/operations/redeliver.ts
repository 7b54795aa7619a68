import type { DeliveryRecord, StoreTransaction, SubscriptionRecord } from "../../ports/index.ts";
import { releaseNextInOrder } from "../model/ordering.ts";
import { retryWindowMs } from "../model/retry-schedule.ts";
import { isTestEvent } from "../model/test-event.ts";

/** Deliveries of each state that resuming a subscription makes due, at most: the others keep their time. */
const resumedMax = 5_000;

/**
 * Makes a delivery of any state due again, with the whole retry schedule, and ends the pause that its endpoint asked for.
 * In an ordered subscription it waits for earlier events of its account. A delivery that is claimed or WAITING stays as
 * it is.
 */
export async function redeliver(
  tx: StoreTransaction,
  delivery: DeliveryRecord,
  subscription: SubscriptionRecord,
  nowMs: number,
): Promise<DeliveryRecord> {
  await endPause(tx, subscription.id);
  return makeDue(tx, delivery, subscription, nowMs);
}

/** An order is newer than the answer in which the endpoint asked for a pause. */
async function endPause(tx: StoreTransaction, subscriptionId: string): Promise<void> {
  const health = await tx.endpointHealth.find(subscriptionId);
  if (health?.pausedUntil === undefined) return;
  const { pausedUntil: _paused, ...rest } = (await tx.endpointHealth.findForChange(subscriptionId)) ?? health;
  await tx.endpointHealth.put(rest);
}

async function makeDue(
  tx: StoreTransaction,
  delivery: DeliveryRecord,
  subscription: SubscriptionRecord,
  nowMs: number,
): Promise<DeliveryRecord> {
  if (delivery.claimedBy !== undefined || delivery.state === "WAITING") return delivery;
  const [orderingKey] = subscription.ordered && !isTestEvent(delivery) ? delivery.accountNumbers : [];
  await tx.deliveries.change(delivery.id, {
    state: orderingKey === undefined ? "PENDING" : "WAITING",
    // Older deliveries are sent first.
    dueAt: Math.min(delivery.createdAt, nowMs),
    failures: 0,
    orderingKey,
    diedAt: undefined,
    deliveredAt: undefined,
    cancelReason: undefined,
  });
  if (orderingKey !== undefined) await releaseNextInOrder(tx, subscription.id, orderingKey, nowMs);
  const changed = await tx.deliveries.find(delivery.institutionId, delivery.id);
  if (changed === undefined) throw new Error(`delivery ${delivery.id} is gone`);
  return changed;
}

/** Redelivers several deliveries of one subscription, in the order of their sequence. */
export async function redeliverAll(
  tx: StoreTransaction,
  deliveries: readonly DeliveryRecord[],
  subscription: SubscriptionRecord,
  nowMs: number,
): Promise<void> {
  await endPause(tx, subscription.id);
  for (const delivery of deliveries.toSorted((left, right) => left.sequence - right.sequence)) {
    await makeDue(tx, delivery, subscription, nowMs);
  }
}

/**
 * Makes due what a subscription has missed: held deliveries, retries, and dead letters since its endpoint began to
 * fail. Returns how many.
 */
export async function resume(
  tx: StoreTransaction,
  subscription: SubscriptionRecord,
  failingSince: number | undefined,
  nowMs: number,
): Promise<number> {
  const retried = await retryAll(tx, subscription, nowMs);
  const count = retried + (await release(tx, subscription, nowMs));
  if (failingSince === undefined) return count;
  const from = failingSince - retryWindowMs;
  const dead = await tx.deliveries.list({ ...queryOf(subscription), state: "DEAD", from });
  const missed = dead.filter(({ diedAt = 0 }) => diedAt >= failingSince);
  await redeliverAll(tx, missed, subscription, nowMs);
  return count + missed.length;
}

/** Makes due what waits for another attempt, with the whole schedule before it. Returns how many. */
export async function retryAll(
  tx: StoreTransaction,
  subscription: SubscriptionRecord,
  nowMs: number,
): Promise<number> {
  const pending = await tx.deliveries.list({ ...queryOf(subscription), state: "PENDING" });
  const retried = pending.filter(({ claimedBy }) => claimedBy === undefined);
  for (const { id } of retried) await tx.deliveries.change(id, { dueAt: nowMs, failures: 0 });
  return retried.length;
}

function queryOf({ institutionId, id }: SubscriptionRecord) {
  return { institutionId, subscriptionId: id, limit: resumedMax };
}

async function release(
  tx: StoreTransaction,
  { id, ordered, groupId }: SubscriptionRecord,
  nowMs: number,
): Promise<number> {
  const state = ordered ? "WAITING" : "PENDING";
  const released = await tx.deliveries.changeOpen(id, "HELD", { state, dueAt: nowMs, failures: 0 });
  if (ordered) for (const number of groupId) await releaseNextInOrder(tx, id, number, nowMs);
  return released;
}

/** For a subscription that is no longer ordered: makes WAITING deliveries due. Returns how many. */
export function releaseWaiting(tx: StoreTransaction, subscriptionId: string, nowMs: number): Promise<number> {
  return tx.deliveries.changeOpen(subscriptionId, "WAITING", { state: "PENDING", dueAt: nowMs });
}
