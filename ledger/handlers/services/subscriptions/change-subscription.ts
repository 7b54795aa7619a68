import { cancelMissed, releasePart, resume, retryAll } from "../../../../runtime/events/index.ts";
import type { Writes, SubscriptionRecord } from "../../../../runtime/store/ports/index.ts";
import type { WriteContext } from "../../../../runtime/service/handler-context.ts";
import { replaceSubscription } from "../../../books/subscriptions.ts";
import { healthOfSubscription, endpointHealth } from "../../../../runtime/store/tables/index.ts";

/** The outcome of the events that a subscription has missed. */
export interface MissedEvents {
  /** How many are on their way now. */
  readonly resumed: number;
  /** How many will not be sent. */
  readonly cancelled: number;
}

/**
 * Stores what a subscription has become. What is due while it is not enabled is held. What waits for another attempt goes
 * to a new address at once. When the subscription is enabled again, what was held and what became a dead letter since its
 * address began to fail is sent if `resumes`; otherwise what was held is cancelled (D-43).
 */
export async function changeSubscription(
  { store, clock, events }: Pick<WriteContext, "store" | "clock" | "events">,
  stored: SubscriptionRecord,
  subscription: SubscriptionRecord,
  resumes: boolean,
): Promise<MissedEvents> {
  const isEnabledAgain = subscription.enabled && !stored.enabled;
  const isAnew = isEnabledAgain && !resumes;
  const changed = isAnew ? { ...subscription, generation: (stored.generation ?? 0) + 1 } : subscription;
  await replaceSubscription(store, changed, stored);
  const failingSince = (await store.one(healthOfSubscription, stored.id))?.failingSince;
  const isMoved = subscription.callbackUrl !== stored.callbackUrl;
  if (isEnabledAgain || isMoved) await startAfresh(store, stored.id);
  if (isMoved && subscription.enabled) await retryAll(store, stored.id, clock.now());
  if (stored.ordered && !subscription.ordered) {
    const { institutionId, id: subscriptionId } = stored;
    await releasePart(store, { institutionId, subscriptionId }, "WAITING", clock.now());
  }
  const isResumed = isEnabledAgain && resumes;
  const resumed = isResumed ? await resume(store, subscription, failingSince, clock.now()) : 0;
  const cancelled = isAnew ? await cancelMissed(store, changed, clock.now()) : 0;
  events.wake();
  return { resumed, cancelled };
}

/** Forgets failures, reviews and pauses of the former endpoint. */
async function startAfresh(store: Writes, subscriptionId: string): Promise<void> {
  const health = await store.one(healthOfSubscription, subscriptionId);
  if (health === undefined) return;
  const { failingSince: _since, reviewAt: _review, pausedUntil: _paused, ...rest } = health;
  await store.put(endpointHealth, rest);
}
