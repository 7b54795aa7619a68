import type {
  CancellationRecord,
  CancelReason,
  Clock,
  DeliveryRecord,
  OpenState,
  Store,
  Writes,
  SubscriptionRecord,
} from "../../store/ports/index.ts";
import { startBackgroundLoop, type BackgroundLoop } from "../model/loops.ts";
import { releaseNextInOrder, openDeliveriesOf, isTestEvent } from "../model/stored-deliveries.ts";
import {
  openOfSubscription,
  cancellationOf,
  cancellations,
  nextCancellation,
  deliveriesById,
} from "../../store/tables/index.ts";

/** What a delivery becomes, beside the reason. */
export const cancelled = {
  state: "CANCELLED",
  claimedBy: undefined,
  dueAt: undefined,
  orderingKey: undefined,
} as const;

type CancelledSubscription = Pick<SubscriptionRecord, "id" | "institutionId" | "generation">;

/**
 * Cancels the held and waiting deliveries of a subscription, the first ones at once. Returns how many there are. What
 * waits for another attempt stays.
 */
export async function cancelMissed(
  tx: Writes,
  subscription: CancelledSubscription,
  nowMs: number,
): Promise<number> {
  const held = await tx.count(openOfSubscription, "HELD", subscription.id, 0);
  const count = held + (await tx.count(openOfSubscription, "WAITING", subscription.id, 0));
  // Nothing of what a revocation cancels is sent, although somebody else has the subscription now.
  const former = await tx.one(cancellationOf, subscription.id);
  await cancelAll(tx, [subscription], former?.reason ?? "NOT_RESUMED", nowMs);
  return count;
}

/**
 * From this transaction on, no delivery of an earlier generation of the subscriptions is sent; their present
 * generation begins with it. Of deleted subscriptions nothing is sent. It cancels the first ones of a few
 * subscriptions itself; `startCancelling` cancels the others. An attempt that is in flight may still arrive.
 */
export async function cancelAll(
  tx: Writes,
  subscriptions: readonly CancelledSubscription[],
  reason: CancelReason,
  nowMs: number,
): Promise<void> {
  const isSmall = subscriptions.length <= cancelledWithCallMax;
  const unfinished: CancellationRecord[] = [];
  let left = cancelledAtOnce;
  for (const { id: subscriptionId, institutionId, generation: present = 0 } of subscriptions) {
    const generation = reason === "DELETED" ? Number.MAX_SAFE_INTEGER : present;
    const cancellation = { subscriptionId, institutionId, generation, reason };
    const part = isSmall ? await cancelOpen(tx, cancellation, left, nowMs) : undefined;
    left -= part?.count ?? 0;
    if (part?.isDone !== true) unfinished.push(cancellation);
  }
  await tx.put(cancellations, ...unfinished);
}

/** Whether a delivery that comes due is to be cancelled. */
export function isCancelled(delivery: DeliveryRecord, cancellation: CancellationRecord | undefined): boolean {
  if (cancellation === undefined || isTestEvent(delivery)) return false;
  if (delivery.generation >= cancellation.generation) return false;
  return statesOf(cancellation.reason).includes("PENDING");
}

export interface CancellingOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** Subscriptions with a delivery that is due now. */
  onDue(subscriptionIds: readonly string[]): void;
  onFailure(error: unknown): void;
}

/** Deliveries cancelled in one transaction, at most: other writers wait for it. */
export const cancelledAtOnce = 500;
/** Subscriptions looked at in one transaction, at most. */
const lookedAtOnce = 50;
/** Of more subscriptions the call itself cancels nothing: it would meet the transactions that claim their deliveries. */
const cancelledWithCallMax = 10;
const everyMs = 60_000;

/** Cancels in the background what `cancelAll` was asked to. */
export function startCancelling({ store, clock, onDue, onFailure }: CancellingOptions): BackgroundLoop {
  return startBackgroundLoop({
    clock,
    everyMs,
    onFailure,
    isAnyLeft: () => store.read(async (view) => (await view.one(nextCancellation, "", 1)) !== undefined),
    async part() {
      const { isMore, due } = await store.write((tx) => cancelPart(tx, clock.now()), { isClaim: true });
      onDue(due);
      return isMore;
    },
  });
}

interface CancelledPart {
  readonly isMore: boolean;
  /** Subscriptions with a delivery that is due now. */
  readonly due: readonly string[];
}

async function cancelPart(tx: Writes, nowMs: number): Promise<CancelledPart> {
  const due: string[] = [];
  let left = cancelledAtOnce;
  for (let looked = 0; looked < lookedAtOnce && left > 0; looked += 1) {
    const cancellation = await tx.one(nextCancellation, "", 1);
    if (cancellation === undefined) return { isMore: false, due };
    const part = await cancelOpen(tx, cancellation, left, nowMs);
    left -= part.count;
    if (part.isDue) due.push(cancellation.subscriptionId);
    if (part.isDone) await tx.remove(cancellationOf, cancellation.subscriptionId);
  }
  return { isMore: true, due };
}

/** Cancels so many at most. In an ordered subscription an event that happened later may be due now. */
async function cancelOpen(
  tx: Writes,
  { subscriptionId, reason, generation }: CancellationRecord,
  limit: number,
  nowMs: number,
): Promise<{ readonly count: number; readonly isDone: boolean; readonly isDue: boolean }> {
  const open: DeliveryRecord[] = [];
  for (const state of statesOf(reason)) {
    const left = limit - open.length;
    if (left > 0) open.push(...(await openDeliveriesOf(tx, subscriptionId, state, left, generation)));
  }
  await tx.update(
    deliveriesById,
    { ...cancelled, cancelReason: reason },
    open.map(({ id }) => id),
  );
  let isDue = false;
  for (const key of new Set(open.map(({ orderingKey }) => orderingKey))) {
    if (key !== undefined && (await releaseNextInOrder(tx, subscriptionId, key, nowMs))) isDue = true;
  }
  return { count: open.length, isDone: open.length < limit, isDue };
}

/** In the order in which deliveries pass through them: what moves on meanwhile is found by the next look. */
function statesOf(reason: CancelReason): readonly OpenState[] {
  return reason === "NOT_RESUMED" ? ["WAITING", "HELD"] : ["WAITING", "PENDING", "HELD"];
}
