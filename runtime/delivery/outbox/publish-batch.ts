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
export interface Parcel {
  readonly delivery: DeliveryRecord;
  readonly event: EventRecord;
  readonly subscription: SubscriptionRecord;
}

/** Claims new deliveries for whoever can send them at once. Made anew for each transaction. */
export interface Admission {
  /** The claim and its end, or nothing if the delivery has to wait its turn. */
  claim(subscription: SubscriptionRecord): Pick<DeliveryRecord, "claimedBy" | "dueAt"> | undefined;
}

export interface RelayOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly translator?: EventTranslator;
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
export const relayBatch = 256;

/**
 * Takes the oldest events from the outbox and makes a delivery for each of their subscribers, numbered for each
 * account (D-40, D-41). All in one transaction: an event is fanned out once or is still in the outbox.
 */
export function relayEvents(options: RelayOptions): Promise<Relayed> {
  // Done again, it numbers the same events alike.
  return options.store.transact((tx) => relay(tx, options), { isRepeatable: true });
}

async function relay(tx: StoreTransaction, options: RelayOptions): Promise<Relayed> {
  const taken = await tx.outboxEvents.take(relayBatch);
  const recipients = await readRecipients(tx, taken, options.translator);
  const publishedAt = options.clock.now();
  const events = taken.map((event): EventRecord => ({ ...event, publishedAt }));
  const tickets = events.flatMap((event, index) =>
    (recipients[index] ?? []).map((recipient) => ({ event, ...recipient })),
  );
  const places = await readPlaces(tx, tickets);
  const admission = options.admission();
  const parcels = tickets.map((ticket) => parcelOf(ticket, places, admission, options.ids.id()));

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
interface Ticket extends Recipient {
  readonly event: EventRecord;
}

/** Where the next event of an account stands in one subscription. */
interface Place {
  readonly subscriptionId: string;
  readonly accountNumber: string;
  last: number;
  /** Whether an earlier event has to go first: in an ordered subscription. */
  isBehind: boolean;
}

async function readPlaces(
  tx: StoreTransaction,
  tickets: readonly Ticket[],
): Promise<ReadonlyMap<string, Place>> {
  const places = new Map<string, Place>();
  for (const [{ id, ordered }, own] of Map.groupBy(tickets, ({ subscription }) => subscription)) {
    const numbers = [...new Set(own.map(numberOf))];
    const sequences = await tx.eventSequences.ofNumbers(id, numbers);
    const lasts = new Map(sequences.map(({ accountNumber, last }) => [accountNumber, last]));
    for (const accountNumber of numbers) {
      const before = ordered ? await tx.deliveries.firstInOrder(id, accountNumber) : undefined;
      places.set(placeKey(id, accountNumber), {
        subscriptionId: id,
        accountNumber,
        last: lasts.get(accountNumber) ?? 0,
        isBehind: before !== undefined,
      });
    }
  }
  return places;
}

function placeKey(subscriptionId: string, accountNumber: string): string {
  return `${subscriptionId} ${accountNumber}`;
}

/** The number that the sequence counts for. */
function numberOf({ accountNumbers: [number = ""] }: Ticket): string {
  return number;
}

/** Gives the ticket its number, and a claim if it can be sent at once. */
function parcelOf(
  ticket: Ticket,
  places: ReadonlyMap<string, Place>,
  admission: Admission,
  id: string,
): Parcel {
  const { event, subscription, accountNumbers } = ticket;
  const place = places.get(placeKey(subscription.id, numberOf(ticket)));
  if (place === undefined) throw new Error("a ticket has no place");
  place.last += 1;
  const state = firstState(subscription, place);
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

function firstState({ enabled, ordered }: SubscriptionRecord, place: Place): "PENDING" | "WAITING" | "HELD" {
  const { isBehind } = place;
  place.isBehind = ordered;
  if (!enabled) return "HELD";
  return isBehind ? "WAITING" : "PENDING";
}
