import type { GetDeliveryResult } from "../../../../generated/operator/types.ts";
import { eventFor } from "../../../../runtime/events/index.ts";
import type { DeliveryRecord, Reads } from "../../../../runtime/store/ports/index.ts";
import { deliveryAttemptOf, deliveryOf } from "../../presenters/delivery.ts";
import { eventById } from "../../../../runtime/store/tables/index.ts";
import { lastAttemptsOf } from "../../../../runtime/events/model/stored-deliveries.ts";

/** A delivery with its last 100 attempts and the payload of its event. */
export async function deliveryDetails(store: Reads, delivery: DeliveryRecord): Promise<GetDeliveryResult> {
  const event = await store.one(eventById, delivery.eventId);
  if (event === undefined) throw new Error(`delivery ${delivery.id} has no event`);
  const attempts = await lastAttemptsOf(store, delivery.id);
  return {
    delivery: deliveryOf(delivery),
    attemptsMade: attempts.map(deliveryAttemptOf),
    payload: eventFor(event, delivery.topics).payloadJson,
  };
}
