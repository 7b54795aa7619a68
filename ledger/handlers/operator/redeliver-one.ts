import type { RedeliverOneHandler } from "../../../generated/operator/handlers.ts";
import { redeliver } from "../../../runtime/events/index.ts";
import { deliveryOf } from "../presenters/delivery.ts";
import { auditSubscription } from "../services/audit.ts";
import { scopedReader } from "../services/scoped-reader.ts";
import type { Contexts } from "./contexts.ts";

/**
 * Sends a delivery again, whatever became of it: with the same webhook-id, eventId and sequence, and with the
 * whole schedule of attempts before it.
 *
 * @see section 6 · D-43
 */
export const redeliverOne: RedeliverOneHandler<Contexts> = async (payload, context) => {
  const { store, clock } = context;
  const delivery = await scopedReader(context).delivery(payload.deliveryId);
  if (delivery === undefined) throw context.error("NOT_FOUND_DELIVERY", { field: "/deliveryId" });
  const subscription = await scopedReader(context).subscription(delivery.subscriptionId);
  if (subscription?.enabled !== true) {
    const reason = subscription === undefined ? "subscription-deleted" : "subscription-disabled";
    throw context.error("CONFLICT", { field: "/deliveryId", reason });
  }
  const queued = await redeliver(store, delivery, subscription, clock.now());
  await auditSubscription(context, subscription.id, { redelivered: queued.id });
  context.events.wake();
  return { delivery: deliveryOf(queued) };
};
