import type { GetSubscriptionHandler } from "../../../generated/operator/handlers.ts";
import { subscriptionOf } from "../presenters/subscription.ts";
import { scopedReader } from "../services/scoped-reader.ts";
import type { Contexts } from "./contexts.ts";

/** Reads a subscription with its statistics. @see section 6 · D-43 */
export const getSubscription: GetSubscriptionHandler<Contexts> = async (payload, context) => {
  const stored = await scopedReader(context).subscription(payload.subscriptionId);
  if (stored === undefined) throw context.error("NOT_FOUND_SUBSCRIPTION", { field: "/subscriptionId" });
  return { subscription: await subscriptionOf(stored, context) };
};
