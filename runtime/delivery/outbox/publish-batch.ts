import type {
  Clock,
  DeliveryRecord,
  EventRecord,
  IdSource,
  Store,
  StoreTransaction,
  SubscriptionRecord,
} from "../../ports/index.ts";
import type { EventTranslator } from "../../pipeline/index.ts";
import { readRecipients, type Recipient } from "./recipients.ts";

/** A delivery with what it takes to send it. */
export interface DeliveryJob {
  readonly delivery: DeliveryRecord;
  readonly event: EventRecord;
  readonly subscription: SubscriptionRecord;
}

/** Claims new deliveries for whoever can send them at once. Made anew for each transaction. */
export interface ClaimCapacity {
  /** The claim and its end, or nothing if the delivery has to wait its turn. */
  claim(subscription: SubscriptionRecord): Pick<DeliveryRecord, "claimedBy" | "dueAt"> | undefined;
}

export interface PublishOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly translator?: EventTranslator;
  claimCapacity(): ClaimCapacity;
}

export interface PublishedBatch {
  /** How many events left the outbox. */
  readonly events: number;
  /** Deliveries claimed for this process, to be sent now. */
  readonly claimed: readonly DeliveryJob[];
  /** Subscriptions with further deliveries that are due. */
  readonly waiting: ReadonlySet<string>;
}

/** Events taken from the outbox in one transaction. */
export const publishedMax = 256;

/**
 * Takes the oldest events from the outbox and makes a delivery for each of their subscribers, numbered for each
 * account (D-40, D-41). All in one transaction: an event is fanned out once or is still in the outbox.
 */
export function publishBatch(options: PublishOptions): Promise<PublishedBatch> {
  // Done again, it numbers the same events alike.
  return options.store.transact((tx) => relay(tx, options), { isRepeatable: true });
}

async function relay(tx: StoreTransaction, options: PublishOptions): Promise<PublishedBatch> {
  const taken = await tx.outboxEvents.take(publishedMax);
  const recipients = await readRecipients(tx, taken, options.translator);
  const publishedAt = options.clock.now();
  const events = taken.map((event): EventRecord => ({ ...event, publishedAt }));
  const tickets = events.flatMap((event, index) =>
    (recipients[index] ?? []).map((recipient) => ({ event, ...recipient })),
  );
  const places = await readCounters(tx, tickets);
  const admission = options.claimCapacity();
  const parcels = tickets.map((ticket) => createJob(ticket, places, admission, options.ids.id()));

  await tx.events.insertAll(events.filter((_event, index) => recipients[index]?.length !== 0));
  await tx.deliveries.insertAll(parcels.map(({ delivery }) => delivery));
  await tx.eventSequences.putAll([...places.values()]);
  const claimed = parcels.filter(({ delivery }) => delivery.claimedBy !== undefined);
  const waiting = parcels.filter(
    ({ delivery }) => delivery.state === "PENDING" && delivery.claimedBy === undefined,
  );
  return {
    events: taken.length,
    claimed,
    waiting: new Set(waiting.map(({ subscription }) => subscription.id)),
  };
}

/** An event on its way to one of its recipients. */
interface RoutedEvent extends Recipient {
  readonly event: EventRecord;
}

/** Where the next event of an account stands in one subscription. */
interface SequenceCounter {
  readonly subscriptionId: string;
  readonly accountNumber: string;
  last: number;
  /** Whether an earlier event has to go first: in an ordered subscription. */
  isBehind: boolean;
}

async function readCounters(
  tx: StoreTransaction,
  tickets: readonly RoutedEvent[],
): Promise<ReadonlyMap<string, SequenceCounter>> {
  const places = new Map<string, SequenceCounter>();
  for (const [{ id, ordered }, own] of Map.groupBy(tickets, ({ subscription }) => subscription)) {
    const numbers = [...new Set(own.map(numberOf))];
    const sequences = await tx.eventSequences.ofNumbers(id, numbers);
    const lasts = new Map(sequences.map(({ accountNumber, last }) => [accountNumber, last]));
    for (const accountNumber of numbers) {
      const before = ordered ? await tx.deliveries.firstInOrder(id, accountNumber) : undefined;
      places.set(counterKey(id, accountNumber), {
        subscriptionId: id,
        accountNumber,
        last: lasts.get(accountNumber) ?? 0,
        isBehind: before !== undefined,
      });
    }
  }
  return places;
}

function counterKey(subscriptionId: string, accountNumber: string): string {
  return `${subscriptionId} ${accountNumber}`;
}

/** The number that the sequence counts for. */
function numberOf({ accountNumbers: [number = ""] }: RoutedEvent): string {
  return number;
}

/** Gives the ticket its number, and a claim if it can be sent at once. */
function createJob(
  ticket: RoutedEvent,
  places: ReadonlyMap<string, SequenceCounter>,
  admission: ClaimCapacity,
  id: string,
): DeliveryJob {
  const { event, subscription, accountNumbers } = ticket;
  const place = places.get(counterKey(subscription.id, numberOf(ticket)));
  if (place === undefined) throw new Error("a ticket has no place");
  place.last += 1;
  const state = initialState(subscription, place);
  const delivery: DeliveryRecord = {
    id,
    institutionId: event.institutionId,
    subscriptionId: subscription.id,
    eventId: event.id,
    eventName: event.name,
    accountNumbers,
    sequence: place.last,
    state,
    attempts: 0,
    failures: 0,
    dueAt: event.publishedAt,
    ...(state === "PENDING" ? admission.claim(subscription) : {}),
    ...(subscription.ordered ? { orderingKey: place.accountNumber } : {}),
    createdAt: event.createdAt,
  };
  return { delivery, event, subscription };
}

function initialState(
  { enabled, ordered }: SubscriptionRecord,
  place: SequenceCounter,
): "PENDING" | "WAITING" | "HELD" {
  const { isBehind } = place;
  place.isBehind = ordered;
  if (!enabled) return "HELD";
  return isBehind ? "WAITING" : "PENDING";
}
