import type { DeleteSubscriptionHandler } from "../../../generated/partner/handlers.ts";
import { endSubscription, ownSubscription } from "../../../runtime/operations/admin/index.ts";
import type { Contexts } from "./contexts.ts";

/**
 * Deletes one of the caller's own subscriptions and its secret. What has not arrived is cancelled; the log of
 * its deliveries stays with the operator.
 *
 * @see section 6 · D-43
 */
export const deleteSubscription: DeleteSubscriptionHandler<Contexts> = async (payload, context) => {
  const stored = await ownSubscription(context, payload.subscriptionId);
  if (stored === undefined) throw context.error("NOT_FOUND_SUBSCRIPTION", { field: "/subscriptionId" });
  return endSubscription(context, stored);
};
