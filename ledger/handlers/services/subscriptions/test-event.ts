import { testEventName } from "../../../../runtime/events/index.ts";
import { auditSubscription } from "../audit.ts";
import type { SubscriptionRecord } from "../../../../runtime/store/ports/index.ts";
import type { WriteContext } from "../../../../runtime/service/handler-context.ts";
import { events as eventsTable, deliveries } from "../../../../runtime/store/tables/index.ts";

type Context = Pick<WriteContext, "store" | "clock" | "ids" | "events" | "audit">;

/** Queues a notification that announces nothing. `source` names the interface that asked for it. */
export async function queueTestEvent(
  { store, clock, ids, events, audit }: Context,
  subscription: SubscriptionRecord,
  source: string,
): Promise<{ readonly deliveryId: string; readonly eventId: string }> {
  const [eventId, deliveryId, nowMs] = [ids.id(), ids.id(), clock.now()];
  const { institutionId, id: subscriptionId, generation = 0 } = subscription;
  const event = {
    id: eventId,
    institutionId,
    name: testEventName,
    source,
    topics: [],
    payloadJson: JSON.stringify({ message: "This is a test. Nothing has happened." }),
    createdAt: nowMs,
    publishedAt: nowMs,
  };
  const delivery = {
    id: deliveryId,
    institutionId,
    subscriptionId,
    eventId,
    eventName: testEventName,
    topics: [],
    sequence: 0,
    state: "PENDING",
    attempts: 0,
    failures: 0,
    dueAt: nowMs,
    createdAt: nowMs,
    generation,
  } as const;
  await store.insert(eventsTable, event);
  await store.insert(deliveries, delivery);
  await auditSubscription({ audit }, subscriptionId, { testEvent: deliveryId });
  events.wake();
  return { deliveryId, eventId };
}
