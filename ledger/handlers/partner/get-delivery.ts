import type { GetDeliveryHandler } from "../../../generated/partner/handlers.ts";
import { deliveryDetails, ownDelivery } from "../../../runtime/operations/admin/index.ts";
import type { Contexts } from "./contexts.ts";

/**
 * Reads a delivery to one of the caller's own subscriptions with its last 100 attempts and the payload of its event.
 *
 * @see section 6 · D-43
 */
export const getDelivery: GetDeliveryHandler<Contexts> = async (payload, context) => {
  const own = await ownDelivery(context, payload.deliveryId);
  if (own === undefined) throw context.error("NOT_FOUND_DELIVERY", { field: "/deliveryId" });
  return deliveryDetails(context.store, own.delivery);
};
