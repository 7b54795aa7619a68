import { omitUndefined } from "../../contract/index.ts";
import type {
  DeliveryQuery,
  DeliveryRecord,
  EventSequenceRecord,
  SubscriptionAccountRecord,
} from "../../ports/index.ts";
import type { Condition, Query } from "./queries.ts";
import { byKey, condition, equal } from "./queries.ts";
import {
  deliveries,
  deliveryAttempts,
  endpointHealth,
  events,
  eventSequences,
  serviceKeys,
  subscriptionAccounts,
  subscriptions,
  type ColumnValue,
} from "../tables/index.ts";

export const accountsOfSubscription = equal(subscriptionAccounts, ["institutionId", "subscriptionId"]);
export const subscribersOfNumbers: Query<SubscriptionAccountRecord> = {
  table: subscriptionAccounts,
  where: [
    condition(subscriptionAccounts, "institutionId", "="),
    condition(subscriptionAccounts, "accountNumber", "in"),
  ],
  order: [subscriptionAccounts.columnOf("subscriptionId")],
  limited: false,
};
export const subscribersOfCustomer = equal(
  subscriptionAccounts,
  ["institutionId", "customerId"],
  ["subscriptionId", "accountNumber"],
);
export const subscriptionsOfInstitution = {
  ...equal(subscriptions, ["institutionId"], ["createdAt", "id"]),
  limited: true,
};
export const subscriptionsAfter = { ...subscriptionsOfInstitution, after: true as const };

export const eventById = byKey(events);
export const sequencesOfNumbers: Query<EventSequenceRecord> = {
  table: eventSequences,
  where: [condition(eventSequences, "subscriptionId", "="), condition(eventSequences, "accountNumber", "in")],
  limited: false,
};
export const sequencesOfSubscription = equal(eventSequences, ["subscriptionId"]);
export const healthOfSubscription = byKey(endpointHealth);
export const healthForChange = { ...healthOfSubscription, locks: "wait" as const };
export const endpointsDueForReview = {
  table: endpointHealth,
  where: [condition(endpointHealth, "reviewAt", "<=")],
  order: [endpointHealth.columnOf("reviewAt")],
  limited: true,
};
export const serviceKeyById = byKey(serviceKeys);
export const allServiceKeys = equal(serviceKeys, [], ["createdAt", "keyId"]);

export const deliveryByKey = byKey(deliveries);
export const deliveryById = equal(deliveries, ["institutionId", "id"]);
export const claimedDelivery = equal(deliveries, ["id", "claimedBy", "attempts"]);
export const deliveriesOfEvent = equal(deliveries, ["eventId"]);
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
export const nextDueDelivery: Query<DeliveryRecord> = {
  table: deliveries,
  where: [
    condition(deliveries, "state", "="),
    condition(deliveries, "subscriptionId", ">"),
    condition(deliveries, "dueAt", ">="),
  ],
  order: [deliveries.columnOf("subscriptionId"), deliveries.columnOf("dueAt")],
  limited: true,
};
export const firstInOrder: Query<DeliveryRecord> = {
  ...equal(deliveries, ["subscriptionId", "orderingKey"], ["sequence"]),
  limited: true,
};
export const openDeliveries: Query<DeliveryRecord> = {
  table: deliveries,
  where: [condition(deliveries, "state", "="), condition(deliveries, "dueAt", ">=")],
  order: [deliveries.columnOf("createdAt")],
  limited: true,
};
export const claimedDeliveries: Query<DeliveryRecord> = {
  table: deliveries,
  where: [
    condition(deliveries, "state", "="),
    condition(deliveries, "dueAt", ">="),
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
export const deadDeliveries: Query<DeliveryRecord> = {
  table: deliveries,
  where: [condition(deliveries, "institutionId", ">="), condition(deliveries, "diedAt", ">=")],
  limited: false,
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

const listings = new Map<string, Query<DeliveryRecord>>();

/** The newest first. One query for each combination of what narrows it, with its values. */
export function deliveryListing(query: DeliveryQuery): {
  readonly query: Query<DeliveryRecord>;
  readonly values: readonly ColumnValue[];
} {
  const { institutionId, subscriptionId, eventId, state, accountNumber, from, to, after, limit } = query;
  const given: readonly (readonly [Condition, ColumnValue | undefined])[] = [
    [condition(deliveries, "institutionId", "="), institutionId],
    [condition(deliveries, "subscriptionId", "="), subscriptionId],
    [condition(deliveries, "eventId", "="), eventId],
    [condition(deliveries, "state", "="), state],
    // What the index of dead letters asks for: every one of them has it.
    [condition(deliveries, "diedAt", ">="), state === "DEAD" ? 0 : undefined],
    [condition(deliveries, "accountNumbers", "contains"), quoted(accountNumber)],
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
