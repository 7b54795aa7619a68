import type { GetDeliveryResult } from "../../../../generated/operator/types.ts";
import { eventFor } from "../../../../runtime/delivery/index.ts";
import type { DeliveryRecord, StoreView } from "../../../../runtime/ports/index.ts";
import { deliveryAttemptOf, deliveryOf } from "../../presenters/delivery.ts";

/** A delivery with its last 100 attempts and the payload of its event. */
export async function deliveryDetails(
  store: StoreView,
  delivery: DeliveryRecord,
): Promise<GetDeliveryResult> {
  const event = await store.events.find(delivery.eventId);
  if (event === undefined) throw new Error(`delivery ${delivery.id} has no event`);
  const attempts = await store.deliveryAttempts.of(delivery.id);
  return {
    delivery: deliveryOf(delivery),
    attemptsMade: attempts.map(deliveryAttemptOf),
    payload: eventFor(event, delivery.topics).payloadJson,
  };
}
