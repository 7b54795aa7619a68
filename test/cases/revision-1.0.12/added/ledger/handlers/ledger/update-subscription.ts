import type { UpdateSubscriptionHandler } from "../../../generated/ledger/handlers.ts";
import { cancelMissed } from "../../../runtime/delivery/index.ts";
import type { SubscriptionRecord } from "../../../runtime/ports/index.ts";
import { subscriptionSummary } from "../presenters/subscription-summary.ts";
import { scopedReader } from "../services/scoped-reader.ts";
import type { Contexts } from "./contexts.ts";
import { replaceSubscription } from "../../books/subscriptions.ts";
import { healthOfSubscription, endpointHealth } from "../../../runtime/storage/tables/index.ts";

/**
 * Enables or disables a subscription of the caller's. What becomes due while it is disabled is held, and
 * cancelled when it is enabled again.
 *
 * @see section 4.15.2 · D-22 · D-43
 * @since 1.0.12
 */
export const updateSubscription: UpdateSubscriptionHandler<Contexts> = async (payload, context) => {
  const { store, clock, caller } = context;
  const stored = await scopedReader(context).subscription(payload.id);
  if (stored?.userName !== caller.userName) throw context.error("NOT_FOUND_SUBSCRIPTION", { field: "/id" });

  const enabled = payload.status === "ENABLED";
  if (stored.enabled === enabled) return { subscription: subscriptionSummary(stored) };
  const changed = enabled ? enabledAgain(stored, clock.now()) : disabled(stored, clock.now());
  await replaceSubscription(store, changed);
  if (enabled) {
    await cancelMissed(store, changed.id, "NOT_RESUMED");
    const health = await store.one(healthOfSubscription, changed.id);
    if (health !== undefined) {
      const { failingSince: _since, reviewAt: _review, pausedUntil: _paused, ...rest } = health;
      await store.put(endpointHealth, rest);
    }
  }
  context.events.wake();
  return { subscription: subscriptionSummary(changed) };
};

function enabledAgain(
  { disabledReason: _reason, disabledAt: _at, ...stored }: SubscriptionRecord,
  nowMs: number,
): SubscriptionRecord {
  return { ...stored, enabled: true, updatedAt: nowMs };
}

/** That it was not disabled by failures is all that the store tells apart: by hand is `OPERATOR`. */
function disabled(stored: SubscriptionRecord, nowMs: number): SubscriptionRecord {
  return { ...stored, enabled: false, disabledReason: "OPERATOR", disabledAt: nowMs, updatedAt: nowMs };
}
