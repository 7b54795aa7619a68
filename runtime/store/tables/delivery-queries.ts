import { omitUndefined } from "../../contract/index.ts";
import type { DeliveryQuery, DeliveryRecord, FirstDue, SubscriptionTarget } from "../ports/index.ts";
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
import { backlogCountMax, condition, queryOf, type QueryPage } from "./query.ts";
import type { Condition, PartQuery, Query } from "./table.ts";

const subscribers = ["subscriptionId", "topic"] as const;
const firstOfLane = { firstOf: "lane", order: ["subscriptionId"], limited: true } as const;
const open = ["state", "subscriptionId", ["dueAt", ">="]] as const;

export const topicsOfSubscription = queryOf(subscriptionTopics, ["institutionId", "subscriptionId"]);
/** The topics of a group that are subscribed to, by lane and subscription, after a place in this order. */
export const topicsOfGroup = queryOf(subscriptionTopics, ["institutionId", "group"], {
  order: ["lane", ...subscribers],
  limited: true,
  after: true,
});
/** The lanes with a subscription to a topic, or to any topic of a group. */
export const lanesOf = {
  topic: queryOf(subscriptionTopics, ["institutionId", "topic"], firstOfLane),
  group: queryOf(subscriptionTopics, ["institutionId", "group"], firstOfLane),
};
/** The subscriptions of a lane that follow one, by identifier: to a topic, or to any topic of a group. */
export const subscribersOf = {
  topic: queryOf(subscriptionTopics, ["institutionId", "topic", "lane", ["subscriptionId", ">"]], {
    order: subscribers,
    limited: true,
  }),
  group: queryOf(subscriptionTopics, ["institutionId", "group", "lane", ["subscriptionId", ">"]], {
    firstOf: "subscriptionId",
    order: ["topic"],
    limited: true,
  }),
};
export const subscriptionsByIds = queryOf(subscriptions, ["institutionId", ["id", "in"]]);
export const targetsById: PartQuery<SubscriptionTarget> = queryOf(
  subscriptions,
  ["institutionId", ["id", "in"]],
  {
    part: [
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
    ],
  },
);
export const subscriptionIdsOfUser = queryOf(subscriptions, ["institutionId", "userName"], {
  order: ["createdAt", "id"],
  part: ["id"],
  countTo: 100_000,
});
/** The first event of each lane that follows one. */
export const laneHeads = queryOf(laneEvents, [["lane", ">"]], {
  firstOf: "lane",
  order: ["position", "eventId"],
  limited: true,
  locks: "turn",
});
export const eventsOfLane = queryOf(laneEvents, ["lane"], { order: ["position", "eventId"], limited: true });
export const lastInLanes = queryOf(laneEvents, [], { order: ["position"], descending: true, limited: true });
export const laneEventByKey = laneEvents.byKey;
export const lanesOfEvent = queryOf(laneEvents, ["eventId"], { limited: true });
export const laneEventsOfInstitution = queryOf(laneEvents, ["institutionId"], {
  order: ["createdAt"],
  limited: true,
  countTo: backlogCountMax,
});
export const fullLanesOfInstitution = queryOf(fullLanes, ["institutionId"], {
  order: ["fullSince"],
  present: "fullSince",
  limited: true,
  countTo: backlogCountMax,
});
/** What another process works on is passed over. */
export const nextCancellation = queryOf(cancellations, [["subscriptionId", ">"]], {
  order: ["subscriptionId"],
  limited: true,
  locks: "skip",
});
export const cancellationOf = cancellations.byKey;
/** Deliveries of a subscription that are still to come, of generations before one. */
export const openBefore = queryOf(deliveries, [...open, ["generation", "<"]], {
  order: ["dueAt"],
  limited: true,
  locks: "wait",
});
export const deliveriesById = queryOf(deliveries, [["id", "in"]]);
export const fullLaneByKey = fullLanes.byKey;
export const openOfSubscriptions = queryOf(
  deliveries,
  [
    ["state", "in"],
    ["subscriptionId", "in"],
    ["dueAt", ">="],
  ],
  // The limit of a user may be as large.
  { countTo: 10_000_000 },
);
export const subscriptionsAfter = queryOf(subscriptions, ["institutionId"], {
  order: ["createdAt", "id"],
  limited: true,
  after: true,
});

export const eventById = events.byKey;
export const eventsByIds = queryOf(events, [["id", "in"]]);
export const sequencesOfTopics = queryOf(eventSequences, ["subscriptionId", ["topic", "in"]]);
export const sequenceForChange = { ...eventSequences.byKey, locks: "wait" as const };
export const sequencesOfSubscription = queryOf(eventSequences, ["subscriptionId"]);
export const healthOfSubscription = endpointHealth.byKey;
export const healthOfSubscriptions = queryOf(endpointHealth, [["subscriptionId", "in"]]);
export const healthForChange = { ...healthOfSubscription, locks: "wait" as const };
export const endpointsDueForReview = queryOf(endpointHealth, [["reviewAt", "<="]], {
  order: ["reviewAt"],
  limited: true,
});
export const serviceKeyById = serviceKeys.byKey;
export const allServiceKeys = queryOf(serviceKeys, [], { order: ["createdAt", "keyId"] });

export const deliveryByKey = deliveries.byKey;
export const deliveryById = queryOf(deliveries, ["institutionId", "id"]);
export const claimedDelivery = queryOf(deliveries, ["id", "claimedBy", "attempts"]);
export const deliveriesOfEvent = queryOf(deliveries, ["eventId"], { limited: true });
export const dueDeliveries = queryOf(deliveries, ["state", "subscriptionId", ["dueAt", "<="]], {
  order: ["dueAt"],
  limited: true,
  locks: "skip",
});
export const deliveriesDueAfter = queryOf(deliveries, ["state", "subscriptionId", ["dueAt", ">"]], {
  order: ["dueAt"],
  descending: true,
  limited: true,
  locks: "skip",
});
/** The delivery of each subscription that is due first, of the subscriptions that follow one. */
export const firstOpenDeliveries = queryOf(deliveries, ["state", ["subscriptionId", ">"], ["dueAt", ">="]], {
  firstOf: "subscriptionId",
  order: ["dueAt"],
  limited: true,
});
/** As `firstOpenDeliveries`, but what a poll of thousands needs. */
export const firstDueDeliveries: PartQuery<FirstDue> = {
  ...firstOpenDeliveries,
  part: deliveries.partOf(["subscriptionId", "dueAt"]),
};
export const firstInOrder = queryOf(deliveries, ["subscriptionId", "orderingKey"], {
  order: ["sequence"],
  limited: true,
});
export const openDeliveries = queryOf(deliveries, ["institutionId", "state"], {
  order: ["createdAt"],
  present: "dueAt",
  limited: true,
  countTo: backlogCountMax,
});
export const claimedDeliveries = queryOf(deliveries, [
  ["state", "=", "sifts"],
  ["claimedBy", ">="],
]);
export const openOfSubscription = queryOf(deliveries, open);
export const countedOfSubscription = queryOf(deliveries, open, { countTo: backlogCountMax });
export const deadDeliveries = queryOf(deliveries, ["institutionId"], {
  order: ["createdAt"],
  present: "diedAt",
  limited: true,
  countTo: backlogCountMax,
});
/** Whatever became of them, by creation, after a place. */
export const deliveriesBefore = queryOf(deliveries, ["institutionId", ["createdAt", "<"]], {
  order: ["createdAt", "id"],
  limited: true,
  after: true,
  part: ["id", "state", "createdAt"],
});
export const attemptsOfDelivery = queryOf(deliveryAttempts, ["deliveryId"], { order: ["number"] });
export const formerAttempts = queryOf(deliveryAttempts, ["deliveryId", ["number", "<="]]);
export const lastAttempts = queryOf(deliveryAttempts, ["deliveryId"], {
  order: ["number"],
  descending: true,
  limited: true,
});

const listings = new Map<string, Query<DeliveryRecord>>();

/** The newest first. One query for each combination of what narrows it, with its values. */
export function deliveryListing(query: DeliveryQuery): QueryPage<DeliveryRecord> {
  const { institutionId, subscriptionId, eventId, state, topic, from, to, after, limit } = query;
  // The deliveries of an event or a subscription are few beside those of the institution.
  const sifts = (eventId ?? subscriptionId) === undefined ? undefined : "sifts";
  const given: readonly (readonly [Condition, ColumnValue | undefined])[] = [
    [condition(deliveries, "institutionId", "=", sifts), institutionId],
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
