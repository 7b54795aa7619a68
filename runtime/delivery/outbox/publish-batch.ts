import type {
  EventTranslator,
  Clock,
  DeliveryRecord,
  EventRecord,
  IdSource,
  StoreTransaction,
  SubscriptionRecord,
} from "../../ports/index.ts";
import type { ClaimTransactions } from "../model/claim-transactions.ts";
import type { DeliveryJob } from "../model/delivery-job.ts";
import { readRecipients } from "./recipients.ts";
import { readSequences, type RoutedEvent, type SequenceCounter, type Sequences } from "./sequences.ts";

/** Claims new deliveries while their queue has capacity. Made anew for each transaction. */
export interface ClaimCapacity {
  /** The claim and its end; undefined if the delivery stays in the store. */
  claim(subscription: SubscriptionRecord): Pick<DeliveryRecord, "claimedBy" | "dueAt"> | undefined;
}

export interface PublishOptions {
  readonly transactions: ClaimTransactions;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly translator?: EventTranslator;
  claimCapacity(): ClaimCapacity;
}

export interface PublishedBatch {
  /** How many events left the outbox. */
  readonly events: number;
  /** Deliveries claimed for this process. */
  readonly claimed: readonly DeliveryJob[];
  /** Subscriptions with further deliveries that are due. */
  readonly due: ReadonlySet<string>;
}

/** Events taken from the outbox in one transaction, at most. */
export const publishedMax = 256;

/**
 * Takes the oldest events from the outbox and inserts a delivery for each recipient, numbered by account (D-40, D-41).
 * One transaction: an event has all its deliveries or is still in the outbox.
 */
export function publishBatch(options: PublishOptions): Promise<PublishedBatch> {
  // Repeatable: a second run gives the same events the same numbers.
  return options.transactions.transact(
    (tx) => publish(tx, options),
    ({ claimed }) => claimed,
    { isRepeatable: true },
  );
}

async function publish(tx: StoreTransaction, options: PublishOptions): Promise<PublishedBatch> {
  const taken = await tx.outboxEvents.take(publishedMax);
  const recipients = await readRecipients(tx, taken, options.translator);
  const publishedAt = options.clock.now();
  const events = taken.map((event): EventRecord => ({ ...event, publishedAt }));
  const routedEvents = events.flatMap((event, index) =>
    (recipients[index] ?? []).map((recipient) => ({ event, ...recipient })),
  );
  const sequences = await readSequences(tx, routedEvents);
  const capacity = options.claimCapacity();
  const jobs = routedEvents.map((routed) => createJob(routed, sequences, capacity, options.ids.id()));

  await tx.events.insertAll(events.filter((_event, index) => recipients[index]?.length !== 0));
  await tx.deliveries.insertAll(jobs.map(({ delivery }) => delivery));
  await tx.eventSequences.putAll(sequences.all);
  const claimed = jobs.filter(({ delivery }) => delivery.claimedBy !== undefined);
  const unclaimed = jobs.filter(
    ({ delivery }) => delivery.state === "PENDING" && delivery.claimedBy === undefined,
  );
  return {
    events: taken.length,
    claimed,
    due: new Set(unclaimed.map(({ subscription }) => subscription.id)),
  };
}

/** Numbers the event, and claims its delivery if the subscription has capacity. */
function createJob(
  routed: RoutedEvent,
  sequences: Sequences,
  capacity: ClaimCapacity,
  id: string,
): DeliveryJob {
  const { event, subscription, accountNumbers } = routed;
  const counter = sequences.next(routed);
  const state = initialState(subscription, counter);
  const delivery: DeliveryRecord = {
    id,
    institutionId: event.institutionId,
    subscriptionId: subscription.id,
    eventId: event.id,
    eventName: event.name,
    accountNumbers,
    sequence: counter.last,
    state,
    attempts: 0,
    failures: 0,
    dueAt: event.publishedAt,
    ...(state === "PENDING" ? capacity.claim(subscription) : undefined),
    ...(subscription.ordered ? { orderingKey: counter.accountNumber } : undefined),
    createdAt: event.createdAt,
  };
  return { delivery, event, subscription };
}

function initialState(
  { enabled, ordered }: SubscriptionRecord,
  counter: SequenceCounter,
): "PENDING" | "WAITING" | "HELD" {
  const { isBehind } = counter;
  counter.isBehind = ordered;
  if (!enabled) return "HELD";
  return isBehind ? "WAITING" : "PENDING";
}
