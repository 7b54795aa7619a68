import type { GetDeliveryHandler } from "../../../generated/operator/handlers.ts";
import { deliveryDetails } from "../services/subscriptions/delivery-details.ts";
import { scopedReader } from "../services/scoped-reader.ts";
import type { Contexts } from "./contexts.ts";

/** Reads a delivery with its last 100 attempts and the payload of its event. @see section 6 · D-43 */
export const getDelivery: GetDeliveryHandler<Contexts> = async (payload, context) => {
  const delivery = await scopedReader(context).delivery(payload.deliveryId);
  if (delivery === undefined) throw context.error("NOT_FOUND_DELIVERY", { field: "/deliveryId" });
  return deliveryDetails(context.store, delivery);
};
