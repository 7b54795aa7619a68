import { omitUndefined } from "../../contract/index.ts";
import type { StoreTransaction, SubscriptionTopicRecord, SubscriptionRecord } from "../../ports/index.ts";
import * as queries from "./delivery-queries.ts";
import { deliveryView, type DeliveryView } from "./delivery-view.ts";
import type { WriteEngine } from "./engine.ts";
import { accountsByNumbers, subscriptionById } from "./queries.ts";
import * as tables from "../tables/index.ts";
import type { Table } from "../tables/index.ts";

/** The changes of events under way, done by an engine. */
// oxlint-disable-next-line max-lines-per-function -- a table of changes, one a line
export function deliveryTransaction(engine: WriteEngine): Pick<StoreTransaction, keyof DeliveryView> {
  const view = deliveryView(engine);
  const insertingAll = <R>(table: Table<R>) => ({
    insertAll: async (records: readonly R[]) => engine.insertAll(table, records),
  });

  return {
    ...view,
    events: {
      ...view.events,
      ...insertingAll(tables.events),
      removeUnused: async (id) => removeUnused(engine, id),
    },
    ...lanesTransaction(engine, view),
    eventSequences: {
      ...view.eventSequences,
      putAll: async (records) => engine.putAll(tables.eventSequences, records),
      findForChange: async (subscriptionId, topic) =>
        engine.one(queries.sequenceForChange, [subscriptionId, topic]),
    },
    deliveries: deliveriesTransaction(engine, view),
    deliveryAttempts: { ...view.deliveryAttempts, ...insertingAll(tables.deliveryAttempts) },
    endpointHealth: {
      ...view.endpointHealth,
      insert: async (record) => engine.insertAll(tables.endpointHealth, [record]),
      findForChange: async (subscriptionId) => engine.one(queries.healthForChange, [subscriptionId]),
      put: async (record) => engine.putAll(tables.endpointHealth, [record]),
    },
    serviceKeys: {
      ...view.serviceKeys,
      insert: async (record) => engine.insertAll(tables.serviceKeys, [record]),
      replace: async (record, before) => engine.replace(tables.serviceKeys, record, before),
      remove: async (keyId) => engine.remove(queries.serviceKeyById, [keyId]),
    },
  };
}

function deliveriesTransaction(engine: WriteEngine, view: DeliveryView): StoreTransaction["deliveries"] {
  return {
    ...view.deliveries,
    insertAll: async (records) => engine.insertAll(tables.deliveries, records),
    change: async (id, changes) => {
      await engine.updateAll(queries.deliveryByKey, [{ values: [id], changes }]);
    },
    changeAll: async (ids, changes) => {
      await engine.updateAll(queries.deliveriesById, [{ values: [JSON.stringify(ids)], changes }]);
    },
    changeClaimed: async (all) => {
      const updates = all.map(({ id, claimedBy, attempts, changes }) => ({
        values: [id, claimedBy, attempts],
        changes,
      }));
      const touched = await engine.updateAll(queries.claimedDelivery, updates);
      return touched.map((count) => count === 1);
    },
    releaseClaims: async (now) => {
      const release = { values: ["PENDING", ""], changes: { claimedBy: undefined, dueAt: now } };
      const [touched = 0] = await engine.updateAll(queries.claimedDeliveries, [release]);
      return touched;
    },
    remove: async ({ id, eventId }) => {
      await engine.remove(queries.attemptsOfDelivery, [id]);
      await engine.remove(queries.deliveryByKey, [id]);
      await removeUnused(engine, eventId);
    },
  };
}

/** What waits for subscribers. */
function lanesTransaction(
  engine: WriteEngine,
  view: DeliveryView,
): Pick<StoreTransaction, "laneEvents" | "cancellations" | "fullLanes"> {
  return {
    laneEvents: {
      ...view.laneEvents,
      insertAll: async (records) => engine.insertAll(tables.laneEvents, records),
      advance: async ({ eventId, lane }, afterSubscriptionId) => {
        await engine.updateAll(queries.laneEventByKey, [
          { values: [eventId, lane], changes: { afterSubscriptionId } },
        ]);
      },
      remove: async ({ eventId, lane }) => engine.remove(queries.laneEventByKey, [eventId, lane]),
    },
    cancellations: {
      ...view.cancellations,
      putAll: async (records) => engine.putAll(tables.cancellations, records),
      next: async () => engine.one(queries.nextCancellation, ["", 1]),
      remove: async (subscriptionId) => engine.remove(queries.cancellationOf, [subscriptionId]),
    },
    fullLanes: { ...view.fullLanes, put: async (record) => engine.putAll(tables.fullLanes, [record]) },
  };
}

/** Removes an event that has no delivery, and waits in no lane for one. */
async function removeUnused(engine: WriteEngine, eventId: string): Promise<void> {
  if ((await engine.many(queries.deliveriesOfEvent, [eventId, 1])).length > 0) return;
  if ((await engine.many(queries.lanesOfEvent, [eventId, 1])).length > 0) return;
  await engine.remove(queries.eventById, [eventId]);
}

/** Writes a subscription's topics, each with the group that it belongs to. */
export async function insertSubscription(engine: WriteEngine, record: SubscriptionRecord): Promise<void> {
  await engine.insertAll(tables.subscriptions, [record]);
  await insertTopics(engine, record, record.userName);
}

export async function replaceSubscription(
  engine: WriteEngine,
  record: SubscriptionRecord,
  before?: SubscriptionRecord,
): Promise<void> {
  const former = before ?? (await engine.one(subscriptionById, [record.institutionId, record.id]));
  await engine.replace(tables.subscriptions, record, former);
  if (former?.groupId.join("\n") === record.groupId.join("\n")) return;
  const key = [record.institutionId, record.id];
  const [held] = await engine.many(queries.topicsOfSubscription, key);
  await engine.remove(queries.topicsOfSubscription, key);
  await insertTopics(engine, record, held?.lane ?? record.userName);
}

/** Its deliveries stay: they are the log of what was sent. */
export async function removeSubscription(
  engine: WriteEngine,
  institutionId: string,
  id: string,
): Promise<void> {
  await engine.remove(queries.topicsOfSubscription, [institutionId, id]);
  await engine.remove(queries.sequencesOfSubscription, [id]);
  await engine.remove(queries.healthOfSubscription, [id]);
  await engine.remove(subscriptionById, [institutionId, id]);
}

async function insertTopics(
  engine: WriteEngine,
  { institutionId, id: subscriptionId, groupId }: SubscriptionRecord,
  lane: string,
): Promise<void> {
  const accounts = await engine.many(accountsByNumbers, [institutionId, JSON.stringify(groupId)]);
  const customers = new Map(accounts.map(({ number, customerId }) => [number, customerId]));
  const rows = [...new Set(groupId)].map((topic): SubscriptionTopicRecord => {
    const group = customers.get(topic);
    return omitUndefined({ institutionId, subscriptionId, topic, group, lane });
  });
  await engine.insertAll(tables.subscriptionTopics, rows);
}
