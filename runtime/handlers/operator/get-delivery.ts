import type { GetDeliveryHandler } from "../../../generated/operator/handlers.ts";
import { eventFor } from "../../delivery/index.ts";
import { deliveryAttemptOf, deliveryOf } from "../presenters/delivery.ts";
import { scopedReader } from "../services/scoped-reader.ts";
import type { Contexts } from "./contexts.ts";

/** Reads a delivery with every attempt and the payload of its event. @see section 6 · D-43 */
export const getDelivery: GetDeliveryHandler<Contexts> = async (payload, context) => {
  const { store } = context;
  const delivery = await scopedReader(context).delivery(payload.deliveryId);
  if (delivery === undefined) throw context.error("NOT_FOUND_DELIVERY", { field: "/deliveryId" });
  const event = await store.events.find(delivery.eventId);
  if (event === undefined) throw new Error(`delivery ${delivery.id} has no event`);
  const attempts = await store.deliveryAttempts.of(delivery.id);
  return {
    delivery: deliveryOf(delivery),
    attemptsMade: attempts.map(deliveryAttemptOf),
    payload: eventFor(event, delivery.accountNumbers).payloadJson,
  };
};
