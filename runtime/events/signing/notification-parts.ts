import type { DeliveryRecord, EventRecord, SubscriptionTarget } from "../../store/ports/index.ts";
import type { EventTranslator } from "../../pipeline/event-translator.ts";

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
 * An event with the payload for a recipient of these topics. Where each topic has a payload of its own (D-40, D-49), that
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
