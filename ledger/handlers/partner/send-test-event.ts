import type { SendTestEventHandler } from "../../../generated/partner/handlers.ts";
import { ownSubscription } from "../services/own-records.ts";
import { queueTestEvent } from "../services/subscriptions/test-event.ts";
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
  if (subscription.disabledReason === "REVOKED" && !subscription.enabled) {
    throw context.error("CONFLICT", { field: "/subscriptionId", reason: "credential-revoked" });
  }
  return queueTestEvent(context, subscription, "partner");
};
