import type {
  Audience,
  ClaimedChange,
  DeliveryAttemptRecord,
  DeliveryRecord,
  EventRecord,
  OpenState,
  Reads,
  SubscriptionTopicRecord,
  Writes,
} from "../../store/ports/index.ts";
import {
  attemptsOfDelivery,
  claimedDeliveries,
  claimedDelivery,
  deliveriesOfEvent,
  deliveryByKey,
  eventById,
  eventsByIds,
  lanesOf,
  lanesOfEvent,
  lastAttempts,
  openBefore,
  openOfSubscriptions,
  subscribersOf,
  subscriptionIdsOfUser,
  sequenceForChange,
  eventSequences,
  firstInOrder,
} from "../../store/tables/index.ts";
import { together } from "../../store/common/engine.ts";

/** The latest attempts of a delivery that are kept and read: redelivery adds more, as often as it is asked for. */
export const attemptsKept = 100;
const openStates: readonly OpenState[] = ["PENDING", "WAITING", "HELD"];

/** The lanes with a subscription for the audience, by name: the first so many. */
export async function lanesOfAudience(
  view: Reads,
  audience: Audience,
  limit: number,
): Promise<readonly string[]> {
  const { institutionId, kind, value } = audience;
  return (await view.many(lanesOf[kind], institutionId, value, limit)).map(({ lane }) => lane);
}

/**
 * Subscriptions of a lane for the audience that follow `after` by identifier, each with its first topic; "" precedes
 * all.
 */
export function subscribersInLane(
  view: Reads,
  { institutionId, kind, value }: Audience,
  lane: string,
  after: string,
  limit: number,
): Promise<readonly SubscriptionTopicRecord[]> {
  return view.many(subscribersOf[kind], institutionId, value, lane, after, limit);
}

/** Deliveries of a subscription in a state, of generations before one. A transaction locks them. */
export function openDeliveriesOf(
  view: Reads,
  subscriptionId: string,
  state: OpenState,
  limit: number,
  generation = Number.MAX_SAFE_INTEGER,
): Promise<readonly DeliveryRecord[]> {
  return view.many(openBefore, state, subscriptionId, 0, generation, limit);
}

/** The subscriptions of a user, by creation, then id. */
export async function subscriptionIdsOf(
  view: Reads,
  institutionId: string,
  userName: string,
): Promise<readonly string[]> {
  return (await view.many(subscriptionIdsOfUser, institutionId, userName)).map(({ id }) => id);
}

/** How many deliveries of some subscriptions are still to arrive. */
export function countOpenOf(view: Reads, subscriptionIds: readonly string[]): Promise<number> {
  return view.count(openOfSubscriptions, openStates, subscriptionIds, 0);
}

/** Reads events at once. Gives a look-up by identifier, which throws for an event that was not found. */
export async function eventsOf(view: Reads, ids: readonly string[]): Promise<(id: string) => EventRecord> {
  const found = new Map((await view.many(eventsByIds, ids)).map((event) => [event.id, event]));
  return (id) => {
    const event = found.get(id);
    if (event === undefined) throw new Error(`event ${id} is missing`);
    return event;
  };
}

/** The last attempts of a delivery, by number. */
export async function lastAttemptsOf(
  view: Reads,
  deliveryId: string,
): Promise<readonly DeliveryAttemptRecord[]> {
  return (await view.many(lastAttempts, deliveryId, attemptsKept)).toReversed();
}

/** Changes those whose claims still hold, and says of each whether it did. */
export async function changeClaimedDeliveries(
  tx: Writes,
  all: readonly ClaimedChange[],
): Promise<readonly boolean[]> {
  const counts = await together(
    all.map(({ id, claimedBy, attempts, changes }) =>
      tx.update(claimedDelivery, changes, id, claimedBy, attempts),
    ),
  );
  return counts.map((count) => count === 1);
}

/** Makes every claimed delivery due, whichever process claimed it: for a single process, when it starts. */
export function releaseDeliveryClaims(tx: Writes, nowMs: number): Promise<number> {
  return tx.update(claimedDeliveries, { claimedBy: undefined, dueAt: nowMs }, "PENDING", "");
}

/** With its attempts, and with its event if that has no other delivery. */
export async function removeDelivery(
  tx: Writes,
  { id, eventId }: Pick<DeliveryRecord, "id" | "eventId">,
): Promise<void> {
  await tx.remove(attemptsOfDelivery, id);
  await tx.remove(deliveryByKey, id);
  await removeUnusedEvent(tx, eventId);
}

/** Removes an event unless it has a delivery, or waits in a lane for one. */
export async function removeUnusedEvent(tx: Writes, eventId: string): Promise<void> {
  if ((await tx.many(deliveriesOfEvent, eventId, 1)).length > 0) return;
  if ((await tx.many(lanesOfEvent, eventId, 1)).length > 0) return;
  await tx.remove(eventById, eventId);
}

/**
 * In an ordered subscription, makes the topic's first open delivery due if it is WAITING. Returns whether it was.
 *
 * Publishing raises the topic's counter, and this locks and writes it, too: of the two, one sees what the other did.
 * Claims and cancellations are not serializable transactions. So the store alone does not notice that a delivery
 * before an event has ended meanwhile.
 */
export async function releaseNextInOrder(
  tx: Writes,
  subscriptionId: string,
  orderingKey: string,
  nowMs: number,
): Promise<boolean> {
  const counter = await tx.one(sequenceForChange, subscriptionId, orderingKey);
  if (counter !== undefined) await tx.put(eventSequences, counter);
  const first = await tx.one(firstInOrder, subscriptionId, orderingKey, 1);
  if (first?.state !== "WAITING") return false;
  await tx.update(deliveryByKey, { state: "PENDING", dueAt: nowMs }, first.id);
  return true;
}

/** The name of the event that `SendTestEvent` creates. */
export const testEventName = "Test";

/** Whether the delivery is of a test event: attempted once, also where the subscription is not enabled. */
export function isTestEvent({
  eventName,
  sequence,
}: Pick<DeliveryRecord, "eventName" | "sequence">): boolean {
  return sequence === 0 && eventName === testEventName;
}
