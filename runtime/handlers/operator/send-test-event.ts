import type { SendTestEventHandler } from "../../../generated/operator/handlers.ts";
import { testEventName } from "../../delivery/index.ts";
import { scopedReader } from "../services/scoped-reader.ts";
import type { Contexts } from "./contexts.ts";

/**
 * Sends a notification that announces nothing (eventName Test, no accounts, sequence 0) to a subscription,
 * once and whether it is enabled or not. GetDelivery tells how it went.
 *
 * @see section 6 · D-41 · D-43 · D-48
 */
export const sendTestEvent: SendTestEventHandler<Contexts> = async (payload, context) => {
  const { store, clock, ids } = context;
  const subscription = await scopedReader(context).subscription(payload.subscriptionId);
  if (subscription === undefined) throw context.error("NOT_FOUND_SUBSCRIPTION", { field: "/subscriptionId" });
  if (subscription.disabledReason === "REVOKED" && !subscription.enabled) {
    throw context.error("CONFLICT", { field: "/subscriptionId", reason: "credential-revoked" });
  }

  const [eventId, deliveryId, nowMs] = [ids.id(), ids.id(), clock.now()];
  const { institutionId, id: subscriptionId } = subscription;
  const event = {
    id: eventId,
    institutionId,
    name: testEventName,
    source: "operator",
    accountNumbers: [],
    customerId: "",
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
    accountNumbers: [],
    sequence: 0,
    state: "PENDING",
    attempts: 0,
    failures: 0,
    dueAt: nowMs,
    createdAt: nowMs,
  } as const;
  await store.events.insertAll([event]);
  await store.deliveries.insertAll([delivery]);
  context.events.wake();
  return { deliveryId, eventId };
};
