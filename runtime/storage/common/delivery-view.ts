import type { StoreView } from "../../ports/index.ts";
import * as queries from "./delivery-queries.ts";
import type { ReadEngine } from "./engine.ts";

/** The queries of events under way, answered from an engine. */
export type DeliveryView = Pick<
  StoreView,
  | "subscriptionTopics"
  | "subscriptionTargets"
  | "laneEvents"
  | "fullLanes"
  | "cancellations"
  | "events"
  | "eventSequences"
  | "deliveries"
  | "deliveryAttempts"
  | "endpointHealth"
  | "serviceKeys"
>;

const openStates = JSON.stringify(["PENDING", "WAITING", "HELD"]);
/** Attempts of one delivery that are read, at most: redelivery adds more, as often as it is asked for. */
const attemptsShownMax = 100;

const anyBound = { until: Number.MAX_SAFE_INTEGER, generation: Number.MAX_SAFE_INTEGER };

export function deliveryView(engine: ReadEngine): DeliveryView {
  return {
    ...subscriberView(engine),
    ...sendingView(engine),
  };
}

type SubscriberView = Pick<
  StoreView,
  "subscriptionTopics" | "subscriptionTargets" | "laneEvents" | "fullLanes" | "cancellations"
>;

/** Who receives events, and what waits for them. */
function subscriberView(engine: ReadEngine): SubscriberView {
  return {
    subscriptionTopics: {
      lanes: async ({ institutionId, kind, value }, limit) => {
        const rows = await engine.many(queries.lanesOf[kind], [institutionId, value, limit]);
        return rows.map(({ lane }) => lane);
      },
      inLane: async ({ institutionId, kind, value }, lane, after, limit) =>
        engine.many(queries.subscribersOf[kind], [institutionId, value, lane, after, limit]),
    },
    subscriptionTargets: {
      find: async (institutionId, ids) =>
        engine.many(queries.targetsById, [institutionId, JSON.stringify(ids)]),
      countOfUser: async (...key) => engine.count(queries.subscriptionIdsOfUser, key),
      idsOfUser: async (institutionId, userName) => {
        const rows = await engine.many(queries.subscriptionIdsOfUser, [institutionId, userName]);
        return rows.map(({ id }) => id);
      },
    },
    laneEvents: {
      heads: async (...page) => engine.many(queries.laneHeads, page),
      of: async (...page) => engine.many(queries.eventsOfLane, page),
      last: async () => engine.one(queries.lastInLanes, [1]),
      countOf: async (institutionId) => engine.count(queries.laneEventsOfInstitution, [institutionId]),
      oldestOf: async (institutionId) => engine.one(queries.laneEventsOfInstitution, [institutionId, 1]),
    },
    cancellations: {
      find: async (subscriptionId) => engine.one(queries.cancellationOf, [subscriptionId]),
      areAny: async () => (await engine.one(queries.nextCancellation, ["", 1])) !== undefined,
    },
    fullLanes: {
      find: async (lane) => engine.one(queries.fullLaneByKey, [lane]),
      countOf: async (institutionId) => engine.count(queries.fullLanesOfInstitution, [institutionId]),
      oldestOf: async (institutionId) => engine.one(queries.fullLanesOfInstitution, [institutionId, 1]),
    },
  };
}

/** Events on their way. */
function sendingView(engine: ReadEngine): Omit<DeliveryView, keyof SubscriberView> {
  return {
    events: {
      find: async (id) => engine.one(queries.eventById, [id]),
      findMany: async (ids) => engine.many(queries.eventsByIds, [JSON.stringify(ids)]),
    },
    eventSequences: {
      ofTopics: async (subscriptionId, topics) =>
        engine.many(queries.sequencesOfTopics, [subscriptionId, JSON.stringify(topics)]),
    },
    deliveries: {
      find: async (...key) => engine.one(queries.deliveryById, key),
      list: async (asked) => {
        const { query, values } = queries.deliveryListing(asked);
        return engine.many(query, values);
      },
      due: async (...values) => engine.many(queries.dueDeliveries, ["PENDING", ...values]),
      dueAfter: async (...values) => engine.many(queries.deliveriesDueAfter, ["PENDING", ...values]),
      firstDue: async (after, limit) => engine.many(queries.firstDueDeliveries, ["PENDING", after, 0, limit]),
      firstOpen: async (state, after, limit) =>
        engine.many(queries.firstOpenDeliveries, [state, after, 0, limit]),
      openOf: async (subscriptionId, state, limit, { until, generation } = anyBound) =>
        engine.many(queries.openBefore, [state, subscriptionId, 0, until, generation, limit]),
      firstInOrder: async (...key) => engine.one(queries.firstInOrder, [...key, 1]),
      countOpen: async (...values) => engine.count(queries.openDeliveries, values),
      oldestOpen: async (...values) => engine.one(queries.openDeliveries, [...values, 1]),
      countOf: async (subscriptionId, state) =>
        engine.count(queries.openOfSubscription, [state, subscriptionId, 0]),
      countOpenOf: async (subscriptionIds) =>
        engine.count(queries.openOfSubscriptions, [openStates, JSON.stringify(subscriptionIds), 0]),
      countDead: async (institutionId) => engine.count(queries.deadDeliveries, [institutionId]),
      oldestDead: async (institutionId) => engine.one(queries.deadDeliveries, [institutionId, 1]),
      finishedBefore: async (institutionId, state, time, limit) =>
        engine.many(queries.finishedBefore, [institutionId, time, state, limit]),
    },
    deliveryAttempts: {
      of: async (deliveryId) =>
        (await engine.many(queries.lastAttempts, [deliveryId, attemptsShownMax])).toReversed(),
    },
    endpointHealth: {
      find: async (subscriptionId) => engine.one(queries.healthOfSubscription, [subscriptionId]),
      findMany: async (ids) => engine.many(queries.healthOfSubscriptions, [JSON.stringify(ids)]),
      dueForReview: async (time, limit) => engine.many(queries.endpointsDueForReview, [time, limit]),
    },
    serviceKeys: { list: async () => engine.many(queries.allServiceKeys, []) },
  };
}
