import { omitUndefined } from "../../../runtime/contract/index.ts";
import type { UpdateSubscriptionHandler } from "../../../generated/partner/handlers.ts";
import type { SubscriptionRecord } from "../../../runtime/store/ports/index.ts";
import { subscriptionOf } from "../presenters/subscription.ts";
import { changeSubscription, ownSubscription } from "../../../runtime/operations/admin/index.ts";
import type { Contexts } from "./contexts.ts";

/**
 * Disables one of the caller's own subscriptions, or enables it again. What is due while it is not enabled is
 * held. When it is enabled again, what was held and what became a dead letter since its address began to fail
 * is sent if resume says so; otherwise what was held is cancelled. One that the operator has disabled the
 * operator alone enables.
 *
 * @see section 6 · D-43
 */
export const updateSubscription: UpdateSubscriptionHandler<Contexts> = async (payload, context) => {
  const stored = await ownSubscription(context, payload.subscriptionId);
  if (stored === undefined) throw context.error("NOT_FOUND_SUBSCRIPTION", { field: "/subscriptionId" });
  if (payload.enabled && stored.disabledReason === "OPERATOR") {
    throw context.error("CONFLICT", { field: "/enabled", reason: "disabled-by-operator" });
  }
  const subscription = switched(stored, payload.enabled, context.clock.now());
  const missed = await changeSubscription(context, stored, subscription, payload.resume === true);
  return { subscription: await subscriptionOf(subscription, context), ...missed };
};

/** A subscription that is disabled already keeps its reason. */
function switched(stored: SubscriptionRecord, enabled: boolean, nowMs: number): SubscriptionRecord {
  if (stored.enabled === enabled) return stored;
  const { disabledReason: _reason, disabledAt: _since, ...rest } = stored;
  return {
    ...rest,
    enabled,
    ...omitUndefined({ disabledAt: enabled ? undefined : nowMs }),
    updatedAt: nowMs,
  };
}
