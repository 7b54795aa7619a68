import type { ListDeliveriesHandler } from "../../../generated/partner/handlers.ts";
import { ownSubscription } from "../../../runtime/operations/admin/index.ts";
import { listDeliveries as deliveriesOf } from "../services/admin.ts";
import type { Contexts } from "./contexts.ts";

/**
 * Lists the deliveries of one of the caller's own subscriptions, page by page, newest first. The other fields
 * narrow the list. A page may hold fewer deliveries than asked for, or none, although there are more: next
 * says so.
 *
 * @see section 6 · D-43
 */
export const listDeliveries: ListDeliveriesHandler<Contexts> = async (payload, context) => {
  const subscription = await ownSubscription(context, payload.subscriptionId);
  if (subscription === undefined) throw context.error("NOT_FOUND_SUBSCRIPTION", { field: "/subscriptionId" });
  return deliveriesOf(payload, context);
};
