import type { GetSubscriptionHandler } from "../../../generated/partner/handlers.ts";
import { subscriptionOf } from "../services/admin.ts";
import { ownSubscription } from "../../../runtime/operations/admin/index.ts";
import type { Contexts } from "./contexts.ts";

/** Reads one of the caller's own subscriptions with its statistics. @see section 6 · D-43 */
export const getSubscription: GetSubscriptionHandler<Contexts> = async (payload, context) => {
  const stored = await ownSubscription(context, payload.subscriptionId);
  if (stored === undefined) throw context.error("NOT_FOUND_SUBSCRIPTION", { field: "/subscriptionId" });
  return { subscription: await subscriptionOf(stored, context) };
};
