import type { GetNotificationHandler } from "../../../generated/operator/handlers.ts";
import { scopedReader } from "../services/scoped-reader.ts";
import { postedNotification } from "../services/subscriptions/posted-notification.ts";
import type { Contexts } from "./contexts.ts";

/**
 * Reads the notification of a delivery as it is posted, headers and body, signed now. It changes nothing and
 * posts nothing: compare it with what a receiver says it got.
 *
 * @see section 6 · D-41 · D-42 · D-43
 */
export const getNotification: GetNotificationHandler<Contexts> = async ({ deliveryId }, context) => {
  const reader = scopedReader(context);
  const delivery = await reader.delivery(deliveryId);
  if (delivery === undefined) throw context.error("NOT_FOUND_DELIVERY", { field: "/deliveryId" });
  const subscription = await reader.subscription(delivery.subscriptionId);
  if (subscription === undefined) throw context.error("NOT_FOUND_SUBSCRIPTION", { field: "/deliveryId" });
  return postedNotification(context, delivery, subscription);
};
