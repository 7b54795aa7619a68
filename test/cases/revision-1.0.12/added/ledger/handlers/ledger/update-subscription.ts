import type { UpdateSubscriptionHandler } from "../../../generated/ledger/handlers.ts";
import type { SubscriptionRecord } from "../../../runtime/store/ports/index.ts";
import { subscriptionSummary } from "../presenters/subscription-summary.ts";
import { changeSubscription } from "../../../runtime/operations/admin/index.ts";
import { visible } from "../services/scoped-reader.ts";
import type { Contexts } from "./contexts.ts";

/**
 * Enables or disables a subscription of the caller's. What becomes due while it is disabled is held, and
 * cancelled when it is enabled again.
 *
 * @see section 4.15.2 · D-22 · D-43
 * @since 1.0.12
 */
export const updateSubscription: UpdateSubscriptionHandler<Contexts> = async (payload, context) => {
  const { clock, caller } = context;
  const stored = await visible(context).subscription(payload.id);
  if (stored?.userName !== caller.userName) throw context.error("NOT_FOUND_SUBSCRIPTION", { field: "/id" });

  const enabled = payload.status === "ENABLED";
  if (stored.enabled === enabled) return { subscription: subscriptionSummary(stored) };
  const changed = enabled ? enabledAgain(stored, clock.now()) : disabled(stored, clock.now());
  await changeSubscription(context, stored, changed, false);
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
