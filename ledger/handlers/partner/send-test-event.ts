import type { SendTestEventHandler } from "../../../generated/partner/handlers.ts";
import { ownSubscription, sendTest } from "../../../runtime/operations/admin/index.ts";
import type { Contexts } from "./contexts.ts";

/**
 * Sends a notification that announces nothing (eventName Test, no accounts, sequence 0) to one of the
 * caller's own subscriptions, once and whether it is enabled or not. GetDelivery tells how it went.
 *
 * @see section 6 · D-41 · D-43
 */
export const sendTestEvent: SendTestEventHandler<Contexts> = async (payload, context) => {
  const subscription = await ownSubscription(context, payload.subscriptionId);
  if (subscription === undefined) throw context.error("NOT_FOUND_SUBSCRIPTION", { field: "/subscriptionId" });
  return sendTest(context, subscription, "partner");
};
