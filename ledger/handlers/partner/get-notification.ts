import type { GetNotificationHandler } from "../../../generated/partner/handlers.ts";
import { ownDelivery, postedNotification } from "../../../runtime/operations/admin/index.ts";
import type { Contexts } from "./contexts.ts";

/**
 * Reads the notification of a delivery to one of the caller's own subscriptions as it is posted, headers and
 * body, signed now. It changes nothing: the service goes on sending to the subscription's own address. A caller
 * posts it to an address that the service cannot reach, such as one behind a firewall.
 *
 * @see section 6 · D-41 · D-42 · D-43
 */
export const getNotification: GetNotificationHandler<Contexts> = async (payload, context) => {
  const own = await ownDelivery(context, payload.deliveryId);
  if (own === undefined) throw context.error("NOT_FOUND_DELIVERY", { field: "/deliveryId" });
  return postedNotification(context, own.delivery, own.subscription);
};
