import { omitUndefined } from "../../contract/index.ts";
import type {
  CancellationRecord,
  DeliveryAttemptRecord,
  DeliveryQuery,
  DeliveryRecord,
  EndpointHealthRecord,
  EventRecord,
  EventSequenceRecord,
  FirstDue,
  FullLaneRecord,
  LaneEventRecord,
  SubscriptionTopicRecord,
  SubscriptionRecord,
  SubscriptionTarget,
} from "../ports/index.ts";
import {
  cancellations,
  deliveries,
  deliveryAttempts,
  endpointHealth,
  events,
  eventSequences,
  fullLanes,
  laneEvents,
  serviceKeys,
} from "./deliveries.ts";
import type { ColumnValue } from "./column.ts";
import { subscriptionTopics, subscriptions } from "./events.ts";
import { backlogCountMax, condition, equal, type QueryPage } from "./query.ts";
import type { Condition, PartQuery, Query } from "./table.ts";

export const topicsOfSubscription = equal(subscriptionTopics, ["institutionId", "subscriptionId"]);
/** The topics of a group that are subscribed to, by lane and subscription, after a place in this order. */
export const topicsOfGroup = {
  ...equal(subscriptionTopics, ["institutionId", "group"], ["lane", "subscriptionId", "topic"]),
  limited: true,
  after: true as const,
};
/** The lanes with a subscription to a topic, or to any topic of a group. */
export const lanesOf = {
  topic: firstOfLane("topic"),
  group: firstOfLane("group"),
};
/** The subscriptions of a lane that follow one, by identifier: to a topic, or to any topic of a group. */
export const subscribersOf = {
  topic: subscribersInLane("topic"),
  group: {
    ...subscribersInLane("group"),
    firstOf: subscriptionTopics.columnOf("subscriptionId"),
    order: [subscriptionTopics.columnOf("topic")],
  },
};
export const subscriptionsByIds: Query<SubscriptionRecord> = {
  table: subscriptions,
  where: [condition(subscriptions, "institutionId", "="), condition(subscriptions, "id", "in")],
  limited: false,
};
export const targetsById: PartQuery<SubscriptionTarget> = {
  ...subscriptionsByIds,
  part: subscriptions.partOf([
    "id",
    "institutionId",
    "userName",
    "name",
    "callbackUrl",
    "events",
    "secretSealed",
    "formerSecretSealed",
    "formerSecretUntil",
    "enabled",
    "disabledReason",
    "disabledAt",
    "ordered",
    "generation",
    "revision",
    "createdAt",
    "updatedAt",
  ]),
};
export const subscriptionIdsOfUser: PartQuery<Pick<SubscriptionRecord, "id">> = {
  ...equal(subscriptions, ["institutionId", "userName"], ["createdAt", "id"]),
  part: subscriptions.partOf(["id"]),
  countTo: 100_000,
};
/** The first event of each lane that follows one. */
export const laneHeads: Query<LaneEventRecord> = {
  table: laneEvents,
  where: [condition(laneEvents, "lane", ">")],
  firstOf: laneEvents.columnOf("lane"),
  order: [laneEvents.columnOf("position"), laneEvents.columnOf("eventId")],
  limited: true,
  locks: "turn",
};
export const eventsOfLane: Query<LaneEventRecord> = {
  ...equal(laneEvents, ["lane"], ["position", "eventId"]),
  limited: true,
};
export const lastInLanes: Query<LaneEventRecord> = {
  table: laneEvents,
  where: [],
  order: [laneEvents.columnOf("position")],
  descending: true,
  limited: true,
};
export const laneEventByKey = laneEvents.byKey;
export const lanesOfEvent: Query<LaneEventRecord> = { ...equal(laneEvents, ["eventId"]), limited: true };
export const laneEventsOfInstitution: Query<LaneEventRecord> = {
  ...equal(laneEvents, ["institutionId"], ["createdAt"]),
  limited: true,
  countTo: backlogCountMax,
};
export const fullLanesOfInstitution: Query<FullLaneRecord> = {
  ...equal(fullLanes, ["institutionId"], ["fullSince"]),
  present: fullLanes.columnOf("fullSince"),
  limited: true,
  countTo: backlogCountMax,
};
/** What another process works on is passed over. */
export const nextCancellation: Query<CancellationRecord> = {
  table: cancellations,
  where: [condition(cancellations, "subscriptionId", ">")],
  order: [cancellations.columnOf("subscriptionId")],
  limited: true,
  locks: "skip",
};
export const cancellationOf = cancellations.byKey;
/** Deliveries of a subscription that are still to come, before a generation and of events that happened until a time. */
export const openBefore: Query<DeliveryRecord> = {
  table: deliveries,
  where: [
    condition(deliveries, "state", "="),
    condition(deliveries, "subscriptionId", "="),
    condition(deliveries, "dueAt", ">="),
    condition(deliveries, "createdAt", "<="),
    condition(deliveries, "generation", "<"),
  ],
  order: [deliveries.columnOf("dueAt")],
  limited: true,
  locks: "wait",
};
export const deliveriesById: Query<DeliveryRecord> = {
  table: deliveries,
  where: [condition(deliveries, "id", "in")],
  limited: false,
};
export const fullLaneByKey = fullLanes.byKey;
export const openOfSubscriptions: Query<DeliveryRecord> = {
  table: deliveries,
  where: [
    condition(deliveries, "state", "in"),
    condition(deliveries, "subscriptionId", "in"),
    condition(deliveries, "dueAt", ">="),
  ],
  limited: false,
  // The limit of a user may be as large.
  countTo: 10_000_000,
};
export const subscriptionsAfter = {
  ...equal(subscriptions, ["institutionId"], ["createdAt", "id"]),
  limited: true,
  after: true as const,
};

export const eventById = events.byKey;
export const eventsByIds: Query<EventRecord> = {
  table: events,
  where: [condition(events, "id", "in")],
  limited: false,
};
export const sequencesOfTopics: Query<EventSequenceRecord> = {
  table: eventSequences,
  where: [condition(eventSequences, "subscriptionId", "="), condition(eventSequences, "topic", "in")],
  limited: false,
};
export const sequenceForChange = { ...eventSequences.byKey, locks: "wait" as const };
export const sequencesOfSubscription = equal(eventSequences, ["subscriptionId"]);
export const healthOfSubscription = endpointHealth.byKey;
export const healthOfSubscriptions: Query<EndpointHealthRecord> = {
  table: endpointHealth,
  where: [condition(endpointHealth, "subscriptionId", "in")],
  limited: false,
};
export const healthForChange = { ...healthOfSubscription, locks: "wait" as const };
export const endpointsDueForReview = {
  table: endpointHealth,
  where: [condition(endpointHealth, "reviewAt", "<=")],
  order: [endpointHealth.columnOf("reviewAt")],
  limited: true,
};
export const serviceKeyById = serviceKeys.byKey;
export const allServiceKeys = equal(serviceKeys, [], ["createdAt", "keyId"]);

export const deliveryByKey = deliveries.byKey;
export const deliveryById = equal(deliveries, ["institutionId", "id"]);
export const claimedDelivery = equal(deliveries, ["id", "claimedBy", "attempts"]);
export const deliveriesOfEvent: Query<DeliveryRecord> = { ...equal(deliveries, ["eventId"]), limited: true };
export const dueDeliveries: Query<DeliveryRecord> = {
  table: deliveries,
  where: [
    condition(deliveries, "state", "="),
    condition(deliveries, "subscriptionId", "="),
    condition(deliveries, "dueAt", "<="),
  ],
  order: [deliveries.columnOf("dueAt")],
  limited: true,
  locks: "skip",
};
export const deliveriesDueAfter: Query<DeliveryRecord> = {
  table: deliveries,
  where: [
    condition(deliveries, "state", "="),
    condition(deliveries, "subscriptionId", "="),
    condition(deliveries, "dueAt", ">"),
  ],
  order: [deliveries.columnOf("dueAt")],
  descending: true,
  limited: true,
  locks: "skip",
};
/** The delivery of each subscription that is due first, of the subscriptions that follow one. */
export const firstOpenDeliveries: Query<DeliveryRecord> = {
  table: deliveries,
  where: [
    condition(deliveries, "state", "="),
    condition(deliveries, "subscriptionId", ">"),
    condition(deliveries, "dueAt", ">="),
  ],
  firstOf: deliveries.columnOf("subscriptionId"),
  order: [deliveries.columnOf("dueAt")],
  limited: true,
};
/** As `firstOpenDeliveries`, but what a poll of thousands needs. */
export const firstDueDeliveries: PartQuery<FirstDue> = {
  ...firstOpenDeliveries,
  part: deliveries.partOf(["subscriptionId", "dueAt"]),
};
export const firstInOrder: Query<DeliveryRecord> = {
  ...equal(deliveries, ["subscriptionId", "orderingKey"], ["sequence"]),
  limited: true,
};
export const openDeliveries: Query<DeliveryRecord> = {
  ...equal(deliveries, ["institutionId", "state"], ["createdAt"]),
  present: deliveries.columnOf("dueAt"),
  limited: true,
  countTo: backlogCountMax,
};
export const claimedDeliveries: Query<DeliveryRecord> = {
  table: deliveries,
  where: [
    { ...condition(deliveries, "state", "="), isSifting: true },
    condition(deliveries, "claimedBy", ">="),
  ],
  limited: false,
};
export const openOfSubscription: Query<DeliveryRecord> = {
  table: deliveries,
  where: [
    condition(deliveries, "state", "="),
    condition(deliveries, "subscriptionId", "="),
    condition(deliveries, "dueAt", ">="),
  ],
  limited: false,
};
export const countedOfSubscription: Query<DeliveryRecord> = {
  ...openOfSubscription,
  countTo: backlogCountMax,
};
export const deadDeliveries: Query<DeliveryRecord> = {
  ...equal(deliveries, ["institutionId"], ["createdAt"]),
  present: deliveries.columnOf("diedAt"),
  limited: true,
  countTo: backlogCountMax,
};
export const finishedBefore: Query<DeliveryRecord> = {
  table: deliveries,
  where: [
    condition(deliveries, "institutionId", "="),
    condition(deliveries, "createdAt", "<"),
    condition(deliveries, "state", "="),
  ],
  order: [deliveries.columnOf("createdAt")],
  limited: true,
};
export const attemptsOfDelivery = equal(deliveryAttempts, ["deliveryId"], ["number"]);
export const formerAttempts: Query<DeliveryAttemptRecord> = {
  table: deliveryAttempts,
  where: [condition(deliveryAttempts, "deliveryId", "="), condition(deliveryAttempts, "number", "<=")],
  limited: false,
};
export const lastAttempts: Query<DeliveryAttemptRecord> = {
  ...attemptsOfDelivery,
  descending: true,
  limited: true,
};

function firstOfLane(field: "topic" | "group"): Query<SubscriptionTopicRecord> {
  return {
    ...equal(subscriptionTopics, ["institutionId", field], ["subscriptionId"]),
    firstOf: subscriptionTopics.columnOf("lane"),
    limited: true,
  };
}

function subscribersInLane(field: "topic" | "group"): Query<SubscriptionTopicRecord> {
  const { where, ...query } = equal(
    subscriptionTopics,
    ["institutionId", field, "lane"],
    ["subscriptionId", "topic"],
  );
  return {
    ...query,
    where: [...where, condition(subscriptionTopics, "subscriptionId", ">")],
    limited: true,
  };
}

const listings = new Map<string, Query<DeliveryRecord>>();

/** The newest first. One query for each combination of what narrows it, with its values. */
export function deliveryListing(query: DeliveryQuery): QueryPage<DeliveryRecord> {
  const { institutionId, subscriptionId, eventId, state, topic, from, to, after, limit } = query;
  const given: readonly (readonly [Condition, ColumnValue | undefined])[] = [
    [condition(deliveries, "institutionId", "="), institutionId],
    [condition(deliveries, "subscriptionId", "="), subscriptionId],
    [condition(deliveries, "eventId", "="), eventId],
    [condition(deliveries, "state", "="), state],
    // The condition of the dead letters' index: every one of them meets it.
    [condition(deliveries, "diedAt", ">="), state === "DEAD" ? 0 : undefined],
    [condition(deliveries, "topics", "contains"), quoted(topic)],
    [condition(deliveries, "createdAt", ">="), from],
    [condition(deliveries, "createdAt", "<"), to],
  ];
  const narrowing = given.flatMap(([where, value]) => (value === undefined ? [] : [{ where, value }]));
  const name = [
    ...narrowing.map(({ where }) => `${where.column.name}${where.op}`),
    after !== undefined,
  ].join();
  const known = listings.get(name) ?? {
    table: deliveries,
    where: narrowing.map(({ where }) => where),
    order: [deliveries.columnOf("createdAt"), deliveries.columnOf("id")],
    descending: true,
    ...omitUndefined({ after: after === undefined ? undefined : (true as const) }),
    limited: true,
  };
  listings.set(name, known);
  const place = after === undefined ? [] : [after.createdAt, after.id];
  return { query: known, values: [...narrowing.map(({ value }) => value), ...place, limit] };
}

/** An item as it stands in a list kept as JSON. */
function quoted(text: string | undefined): string | undefined {
  return text === undefined ? undefined : JSON.stringify(text);
}
