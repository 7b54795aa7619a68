import type { DeliveryRecord, EventRecord, SubscriptionTarget } from "../../store/ports/index.ts";
import type { EventTranslator } from "../../pipeline/event-translator.ts";
import { eventFor } from "../model/event-for.ts";

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
