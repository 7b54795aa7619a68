import type {
  CancelReason,
  DeliveryRecord,
  StoreTransaction,
  SubscriptionRecord,
} from "../../ports/index.ts";
import { retryWindowMs } from "../model/retry-schedule.ts";
import { isTestEvent } from "../model/test-event.ts";

/** Most failed ones that resuming a subscription sends at once: the others keep their time, or are the operator's. */
const resumedMax = 5_000;

/**
 * Sends a delivery again, whatever became of it, with the whole schedule before it. In an ordered subscription it
 * takes its place among its account's events. One that is being attempted is left to it.
 */
export async function redeliver(
  tx: StoreTransaction,
  delivery: DeliveryRecord,
  subscription: SubscriptionRecord,
  nowMs: number,
): Promise<DeliveryRecord> {
  if (delivery.claimedBy !== undefined || delivery.state === "WAITING") return delivery;
  const [orderingKey] = subscription.ordered && !isTestEvent(delivery) ? delivery.accountNumbers : [];
  await tx.deliveries.change(delivery.id, {
    state: orderingKey === undefined ? "PENDING" : "WAITING",
    // The older, the sooner.
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

/** Sends deliveries of one subscription again, each account's in their order. */
export async function redeliverAll(
  tx: StoreTransaction,
  deliveries: readonly DeliveryRecord[],
  subscription: SubscriptionRecord,
  nowMs: number,
): Promise<void> {
  for (const delivery of deliveries.toSorted((left, right) => left.sequence - right.sequence)) {
    await redeliver(tx, delivery, subscription, nowMs);
  }
}

/** Lets an account's first event that is still to come go, if it waits. Says whether it did. */
export async function releaseNextInOrder(
  tx: StoreTransaction,
  subscriptionId: string,
  orderingKey: string,
  nowMs: number,
): Promise<boolean> {
  const first = await tx.deliveries.firstInOrder(subscriptionId, orderingKey);
  if (first?.state !== "WAITING") return false;
  await tx.deliveries.change(first.id, { state: "PENDING", dueAt: nowMs });
  return true;
}

/**
 * Sends what a subscription has missed: what was held, what waits for another attempt, and what became a dead letter
 * since its endpoint began to fail. Gives how many.
 */
export async function resume(
  tx: StoreTransaction,
  subscription: SubscriptionRecord,
  failingSince: number | undefined,
  nowMs: number,
): Promise<number> {
  const { institutionId, id: subscriptionId } = subscription;
  const ofIt = { institutionId, subscriptionId, limit: resumedMax };
  const retried = (await tx.deliveries.list({ ...ofIt, state: "PENDING" })).filter(
    ({ claimedBy }) => claimedBy === undefined,
  );
  for (const { id } of retried) await tx.deliveries.change(id, { dueAt: nowMs, failures: 0 });
  const soon = retried.length + (await release(tx, subscription, nowMs));
  if (failingSince === undefined) return soon;
  const dead = await tx.deliveries.list({ ...ofIt, state: "DEAD", from: failingSince - retryWindowMs });
  const missed = dead.filter(({ diedAt = 0 }) => diedAt >= failingSince);
  await redeliverAll(tx, missed, subscription, nowMs);
  return soon + missed.length;
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

const givenUpBase = { state: "CANCELLED", dueAt: undefined, orderingKey: undefined } as const;

/** Gives up what a subscription has missed. Gives how many. */
export async function cancelMissed(
  tx: StoreTransaction,
  subscriptionId: string,
  cancelReason: CancelReason,
): Promise<number> {
  const givenUp = { ...givenUpBase, cancelReason };
  const held = await tx.deliveries.changeOpen(subscriptionId, "HELD", givenUp);
  return held + (await tx.deliveries.changeOpen(subscriptionId, "WAITING", givenUp));
}

/** Gives up all that a subscription was to be sent. What is being sent at this moment may still arrive. */
export async function cancelAll(
  tx: StoreTransaction,
  subscriptionId: string,
  cancelReason: CancelReason,
): Promise<void> {
  await cancelMissed(tx, subscriptionId, cancelReason);
  const givenUp = { ...givenUpBase, cancelReason, claimedBy: undefined };
  await tx.deliveries.changeOpen(subscriptionId, "PENDING", givenUp);
}

/** Makes an ordered subscription one that is not: what waited for its turn is due. */
export function releaseWaiting(tx: StoreTransaction, subscriptionId: string, nowMs: number): Promise<number> {
  return tx.deliveries.changeOpen(subscriptionId, "WAITING", { state: "PENDING", dueAt: nowMs });
}
