import { createPrivateKey } from "node:crypto";
import type {
  Clock,
  DeliveryRecord,
  Sealer,
  Reads,
  SubscriptionRecord,
  EventRecord,
  SubscriptionTarget,
} from "../../store/ports/index.ts";
import type { EventTranslator } from "../../pipeline/event-translator.ts";
import { signingKeysAmong } from "./service-keys.ts";
import { signNotification, readSecret, timestampOf } from "./signed-notification.ts";
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

/** An event as a subscription gets it: of its own topics, in its own revision. */
export function eventAsSent(
  event: EventRecord,
  { topics }: Pick<DeliveryRecord, "topics">,
  { revision }: Pick<SubscriptionTarget, "revision">,
  translator: EventTranslator | undefined,
): EventRecord {
  const own = eventFor(event, topics);
  return translator?.translate(own, revision) ?? own;
}

/** The secrets that sign for a subscription, sealed: one, or two during a rotation. */
export function sealedSecretsOf(
  { secretSealed, formerSecretSealed, formerSecretUntil = 0 }: SubscriptionTarget,
  nowMs: number,
): readonly string[] {
  return formerSecretSealed === undefined || nowMs >= formerSecretUntil
    ? [secretSealed]
    : [secretSealed, formerSecretSealed];
}

type WithPayloads = Pick<EventRecord, "payloadJson" | "otherPayloads">;

/**
 * An event with the payload for a recipient of these topics. Where each topic has a payload of its own, that
 * is the first topic's; otherwise the payload stays as recorded.
 */
export function eventFor<E extends WithPayloads>(event: E, topics: readonly string[]): E {
  const others = event.otherPayloads ?? [];
  const own = topics.map((topic) => others.find((each) => each.topic === topic));
  const [first] = own;
  return first === undefined || own.includes(undefined)
    ? event
    : { ...event, payloadJson: first.payloadJson };
}
