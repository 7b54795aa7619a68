import type { UpdateSubscriptionHandler } from "../../../generated/operator/handlers.ts";
import type { UpdateSubscriptionPayload } from "../../../generated/operator/types.ts";
import { checkCallbackAddress } from "../../domain/index.ts";
import { cancelMissed, releaseWaiting, resume } from "../../delivery/index.ts";
import type { StoreTransaction, SubscriptionRecord } from "../../ports/index.ts";
import { subscriptionOf } from "../presenters/subscription.ts";
import { hasValidCredential } from "../services/revoked-user.ts";
import { scopedReader } from "../services/scoped-reader.ts";
import type { Contexts } from "./contexts.ts";

/**
 * Enables or disables a subscription, sends each account's events strictly in order from the next one on, or
 * gives it another address. What is due while it is not enabled is held. When it is enabled again, what was
 * held and what became a dead letter since its address began to fail is sent if resume says so; otherwise
 * what was held is cancelled.
 *
 * @see section 6 · D-43 · D-44 · D-48
 */
export const updateSubscription: UpdateSubscriptionHandler<Contexts> = async (payload, context) => {
  const { store, clock, policy } = context;
  if (payload.callbackUrl !== undefined) {
    const address = checkCallbackAddress(payload.callbackUrl, policy);
    if (!address.ok) throw context.error("BAD_INPUT", { field: "/callbackUrl", reason: address.fault });
  }
  const stored = await scopedReader(context).subscription(payload.subscriptionId);
  if (stored === undefined) throw context.error("NOT_FOUND_SUBSCRIPTION", { field: "/subscriptionId" });

  if (payload.enabled && !(await hasValidCredential(context, stored.userName))) {
    throw context.error("CONFLICT", { field: "/enabled", reason: "credential-revoked" });
  }

  const nowMs = clock.now();
  const subscription = changed(stored, payload, nowMs);
  await store.subscriptions.replace(subscription);
  const failingSince = (await store.endpointHealth.find(stored.id))?.failingSince;
  const isEnabledAgain = subscription.enabled && !stored.enabled;
  if (isEnabledAgain || subscription.callbackUrl !== stored.callbackUrl) await startAfresh(store, stored.id);
  if (stored.ordered && !subscription.ordered) await releaseWaiting(store, stored.id, nowMs);
  const missed = isEnabledAgain && payload.resume === true;
  const resumed = missed ? await resume(store, subscription, failingSince, nowMs) : 0;
  const cancelled = isEnabledAgain && !missed ? await cancelMissed(store, stored.id, "NOT_RESUMED") : 0;
  context.events.wake();
  return { subscription: await subscriptionOf(subscription, store), resumed, cancelled };
};

function changed(
  stored: SubscriptionRecord,
  {
    enabled = stored.enabled,
    ordered = stored.ordered,
    callbackUrl = stored.callbackUrl,
  }: UpdateSubscriptionPayload,
  nowMs: number,
): SubscriptionRecord {
  const { disabledReason, disabledAt, ...rest } = stored;
  const disabled = {
    disabledReason: disabledReason ?? ("OPERATOR" as const),
    disabledAt: disabledAt ?? nowMs,
  };
  return { ...rest, enabled, ordered, callbackUrl, ...(enabled ? {} : disabled), updatedAt: nowMs };
}

/** What was known of the endpoint no longer counts. */
async function startAfresh(store: StoreTransaction, subscriptionId: string): Promise<void> {
  const health = await store.endpointHealth.find(subscriptionId);
  if (health === undefined) return;
  const { failingSince: _since, reviewAt: _review, pausedUntil: _paused, ...rest } = health;
  await store.endpointHealth.put(rest);
}
