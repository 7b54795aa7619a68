import type {
  Clock,
  DeliveryRecord,
  EventRecord,
  EventSequenceRecord,
  IdSource,
  OutboxEventRecord,
  Store,
  StoreTransaction,
  SubscriptionRecord,
} from "../ports/index.ts";
import type { EventWords } from "../pipeline/index.ts";
import { createRecipients, type Recipients } from "./recipients.ts";

/** A delivery with what it takes to send it. */
export interface Parcel {
  readonly delivery: DeliveryRecord;
  readonly event: EventRecord;
  readonly subscription: SubscriptionRecord;
}

/** Claims new deliveries for whoever can send them at once. Made anew for each transaction. */
export interface Admission {
  /** The claim and its end, or nothing if the delivery has to wait its turn. */
  claim(subscription: SubscriptionRecord): Pick<DeliveryRecord, "claim" | "dueAt"> | undefined;
}

export interface RelayOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly words?: EventWords;
  admission(): Admission;
}

export interface Relayed {
  /** How many events left the outbox. */
  readonly events: number;
  /** Deliveries claimed for this process, to be sent now. */
  readonly claimed: readonly Parcel[];
  /** Subscriptions with further deliveries that are due. */
  readonly waiting: ReadonlySet<string>;
}

/** Events taken from the outbox in one transaction. */
export const relayBatch = 500;

/**
 * Takes the oldest events from the outbox and makes a delivery for each of their subscribers, numbered for each
 * account (D-40, D-41). All in one transaction: an event is fanned out once or is still in the outbox.
 */
export function relayEvents({ store, clock, ids, words, admission }: RelayOptions): Promise<Relayed> {
  const relay = async (tx: StoreTransaction): Promise<Relayed> => {
    const work: Work = {
      tx,
      ids,
      nowMs: clock.now(),
      admission: admission(),
      sequences: new Map(),
      claimed: [],
      waiting: new Set(),
    };
    const recipients = createRecipients(tx, words);
    const taken = await tx.outboxEvents.take(relayBatch);
    for (const event of taken) await fanOut(event, recipients, work);
    for (const sequence of work.sequences.values()) await tx.eventSequences.put(sequence);
    return { events: taken.length, claimed: work.claimed, waiting: work.waiting };
  };
  // Done again, it numbers the same events alike.
  return store.transact(relay, { isRepeatable: true });
}

interface Work {
  readonly tx: StoreTransaction;
  readonly ids: IdSource;
  readonly nowMs: number;
  readonly admission: Admission;
  /** Those that grew, by subscription and account. */
  readonly sequences: Map<string, EventSequenceRecord>;
  readonly claimed: Parcel[];
  readonly waiting: Set<string>;
}

async function fanOut(taken: OutboxEventRecord, recipients: Recipients, work: Work): Promise<void> {
  const { tx, nowMs } = work;
  const event: EventRecord = { ...taken, relayedAt: nowMs };
  const found = await recipients.of(taken);
  if (found.length > 0) await tx.events.insert(event);
  for (const { subscription, accountNumbers } of found) {
    const delivery = await deliveryOf(event, subscription, accountNumbers, work);
    await tx.deliveries.insert(delivery);
    if (delivery.claim !== undefined) work.claimed.push({ delivery, event, subscription });
    else if (delivery.state === "PENDING") work.waiting.add(subscription.id);
  }
}

async function deliveryOf(
  event: EventRecord,
  subscription: SubscriptionRecord,
  accountNumbers: readonly string[],
  work: Work,
): Promise<DeliveryRecord> {
  const [accountNumber = ""] = accountNumbers;
  const sequence = await nextSequence(subscription.id, accountNumber, work);
  const state = await firstState(subscription, accountNumber, work.tx);
  return {
    id: work.ids.id(),
    institutionId: event.institutionId,
    subscriptionId: subscription.id,
    eventId: event.id,
    eventName: event.name,
    accountNumbers,
    sequence,
    state,
    attempts: 0,
    failures: 0,
    dueAt: work.nowMs,
    ...(state === "PENDING" ? work.admission.claim(subscription) : {}),
    ...(subscription.ordered ? { orderingKey: accountNumber } : {}),
    createdAt: event.createdAt,
  };
}

async function nextSequence(subscriptionId: string, accountNumber: string, work: Work): Promise<number> {
  const key = `${subscriptionId} ${accountNumber}`;
  const former =
    work.sequences.get(key) ?? (await work.tx.eventSequences.find(subscriptionId, accountNumber));
  const last = (former?.last ?? 0) + 1;
  work.sequences.set(key, { subscriptionId, accountNumber, last });
  return last;
}

async function firstState(
  subscription: SubscriptionRecord,
  accountNumber: string,
  tx: StoreTransaction,
): Promise<"PENDING" | "WAITING" | "HELD"> {
  if (!subscription.enabled) return "HELD";
  if (!subscription.ordered) return "PENDING";
  const before = await tx.deliveries.firstInOrder(subscription.id, accountNumber);
  return before === undefined ? "PENDING" : "WAITING";
}
