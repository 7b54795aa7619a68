import type { UpdateSubscriptionHandler } from "../../../generated/operator/handlers.ts";
import type { UpdateSubscriptionPayload } from "../../../generated/operator/types.ts";
import { checkCallbackAddress } from "../../../runtime/events/callback-address.ts";
import type { SubscriptionRecord } from "../../../runtime/store/ports/index.ts";
import { subscriptionOf } from "../presenters/subscription.ts";
import { changeSubscription, hasValidCredential } from "../../../runtime/operations/admin/index.ts";
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
  if (payload.callbackUrl !== undefined) {
    const address = checkCallbackAddress(payload.callbackUrl, context.policy);
    if (!address.ok) throw context.error("BAD_INPUT", { field: "/callbackUrl", reason: address.fault });
  }
  const stored = await scopedReader(context).subscription(payload.subscriptionId);
  if (stored === undefined) throw context.error("NOT_FOUND_SUBSCRIPTION", { field: "/subscriptionId" });

  if (payload.enabled && !(await hasValidCredential(context, stored.userName))) {
    throw context.error("CONFLICT", { field: "/enabled", reason: "credential-revoked" });
  }

  const subscription = changed(stored, payload, context.clock.now());
  const missed = await changeSubscription(context, stored, subscription, payload.resume === true);
  return { subscription: await subscriptionOf(subscription, context), ...missed };
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
