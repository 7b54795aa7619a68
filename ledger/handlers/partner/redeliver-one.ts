import type { RedeliverOneHandler } from "../../../generated/partner/handlers.ts";
import { ownDelivery, sendAgain } from "../../../runtime/operations/admin/index.ts";
import type { Contexts } from "./contexts.ts";

/**
 * Sends a delivery to one of the caller's own subscriptions again, whatever became of it: with the same
 * webhook-id, eventId and sequence, and with the whole schedule of attempts before it.
 *
 * @see section 6 · D-43
 */
export const redeliverOne: RedeliverOneHandler<Contexts> = async (payload, context) => {
  const own = await ownDelivery(context, payload.deliveryId);
  if (own === undefined) throw context.error("NOT_FOUND_DELIVERY", { field: "/deliveryId" });
  if (!own.subscription.enabled) {
    throw context.error("CONFLICT", { field: "/deliveryId", reason: "subscription-disabled" });
  }
  return sendAgain(context, own.delivery, own.subscription);
};
