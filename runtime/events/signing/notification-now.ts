import { createPrivateKey } from "node:crypto";
import type { Clock, DeliveryRecord, Sealer, Reads, SubscriptionRecord } from "../../store/ports/index.ts";
import type { EventTranslator } from "../../pipeline/event-translator.ts";
import { eventAsSent, sealedSecretsOf } from "./notification-parts.ts";
import { signingKeysAmong } from "./service-keys.ts";
import { signNotification } from "./signed-notification.ts";
import { readSecret, timestampOf } from "./webhook-signature.ts";
import { eventById, allServiceKeys } from "../../store/tables/index.ts";

/** A notification as it would be posted now: what its headers say, and its body. */
export interface Notification {
  readonly id: string;
  readonly timestamp: string;
  readonly signature: string;
  readonly body: string;
}

export interface NotificationNowOptions {
  readonly store: Reads;
  readonly clock: Clock;
  readonly sealer: Sealer;
  readonly eventTranslator?: EventTranslator | undefined;
}

/** Signs the notification of a delivery at this time, and posts it nowhere. */
export async function notificationNow(
  { store, clock, sealer, eventTranslator }: NotificationNowOptions,
  delivery: DeliveryRecord,
  subscription: SubscriptionRecord,
): Promise<Notification> {
  const event = await store.one(eventById, delivery.eventId);
  if (event === undefined) throw new Error(`delivery ${delivery.id} has no event`);
  const timeMs = clock.now();
  const keys = signingKeysAmong(await store.many(allServiceKeys), timeMs, ({ privateKeySealed }) =>
    createPrivateKey(sealer.open(privateKeySealed)),
  );
  const { body, signature } = signNotification({
    event: eventAsSent(event, delivery, subscription, eventTranslator),
    delivery,
    timeMs,
    ...keys,
    secrets: sealedSecretsOf(subscription, timeMs).map((sealed) => readSecret(sealer.open(sealed))),
  });
  return { id: delivery.id, timestamp: timestampOf(timeMs), signature, body: body.toString() };
}
