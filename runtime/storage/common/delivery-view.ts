import type { StoreView } from "../../ports/index.ts";
import * as queries from "./delivery-queries.ts";
import type { ReadEngine } from "./engine.ts";

/** The queries of events under way, answered from an engine. */
export type DeliveryView = Pick<
  StoreView,
  | "subscriptionAccounts"
  | "events"
  | "eventSequences"
  | "deliveries"
  | "deliveryAttempts"
  | "endpointHealth"
  | "serviceKeys"
>;

export function deliveryView(engine: ReadEngine): DeliveryView {
  return {
    subscriptionAccounts: {
      ofNumbers: async (institutionId, numbers) =>
        engine.many(queries.subscribersOfNumbers, [institutionId, JSON.stringify(numbers)]),
      ofCustomer: async (...key) => engine.many(queries.subscribersOfCustomer, key),
    },
    events: { find: async (id) => engine.one(queries.eventById, [id]) },
    eventSequences: {
      ofNumbers: async (subscriptionId, numbers) =>
        engine.many(queries.sequencesOfNumbers, [subscriptionId, JSON.stringify(numbers)]),
    },
    deliveries: {
      find: async (...key) => engine.one(queries.deliveryById, key),
      list: async (asked) => {
        const { query, values } = queries.deliveryListing(asked);
        return engine.many(query, values);
      },
      due: async (...values) => engine.many(queries.dueDeliveries, ["PENDING", ...values]),
      nextDue: async (subscriptionId) =>
        engine.one(queries.nextDueDelivery, ["PENDING", subscriptionId, 0, 1]),
      firstInOrder: async (...key) => engine.one(queries.firstInOrder, [...key, 1]),
      countOpen: async (state) => engine.count(queries.openDeliveries, [state, 0]),
      oldestOpen: async (state) => engine.one(queries.openDeliveries, [state, 0, 1]),
      countOf: async (subscriptionId, state) =>
        engine.count(queries.openOfSubscription, [state, subscriptionId, 0]),
      countDead: async () => engine.count(queries.deadDeliveries, ["", 0]),
      finishedBefore: async (institutionId, state, time, limit) =>
        engine.many(queries.finishedBefore, [institutionId, time, state, limit]),
    },
    deliveryAttempts: { of: async (deliveryId) => engine.many(queries.attemptsOfDelivery, [deliveryId]) },
    endpointHealth: {
      find: async (subscriptionId) => engine.one(queries.healthOfSubscription, [subscriptionId]),
      dueForReview: async (time, limit) => engine.many(queries.endpointsDueForReview, [time, limit]),
    },
    serviceKeys: { list: async () => engine.many(queries.allServiceKeys, []) },
  };
}
