import { omitUndefined } from "../../contract/index.ts";
import type { StoreTransaction, SubscriptionAccountRecord, SubscriptionRecord } from "../../ports/index.ts";
import * as queries from "./delivery-queries.ts";
import { deliveryView, type DeliveryView } from "./delivery-view.ts";
import type { WriteEngine } from "./engine.ts";
import { accountByNumber, subscriptionById } from "./queries.ts";
import * as tables from "../tables/index.ts";
import type { Table } from "../tables/index.ts";

/** The changes of events under way, done by an engine. */
export function deliveryTransaction(engine: WriteEngine): Pick<StoreTransaction, keyof DeliveryView> {
  const view = deliveryView(engine);
  const insertingAll = <R>(table: Table<R>) => ({
    insertAll: async (records: readonly R[]) => engine.insertAll(table, records),
  });

  return {
    ...view,
    events: { ...view.events, ...insertingAll(tables.events) },
    eventSequences: {
      ...view.eventSequences,
      putAll: async (records) => engine.putAll(tables.eventSequences, records),
    },
    deliveries: {
      ...view.deliveries,
      ...insertingAll(tables.deliveries),
      change: async (id, changes) => {
        await engine.updateAll(queries.deliveryByKey, [{ values: [id], changes }]);
      },
      changeClaimed: async (all) => {
        const updates = all.map(({ id, claimedBy, attempts, changes }) => ({
          values: [id, claimedBy, attempts],
          changes,
        }));
        const touched = await engine.updateAll(queries.claimedDelivery, updates);
        return touched.map((count) => count === 1);
      },
      changeOpen: async (subscriptionId, state, changes) => {
        const values = [state, subscriptionId, 0];
        const [touched = 0] = await engine.updateAll(queries.openOfSubscription, [{ values, changes }]);
        return touched;
      },
      releaseClaims: async (now) => {
        const release = { values: ["PENDING", 0, ""], changes: { claimedBy: undefined, dueAt: now } };
        const [touched = 0] = await engine.updateAll(queries.claimedDeliveries, [release]);
        return touched;
      },
      remove: async ({ id, eventId }) => {
        await engine.remove(queries.attemptsOfDelivery, [id]);
        await engine.remove(queries.deliveryByKey, [id]);
        const others = await engine.count(queries.deliveriesOfEvent, [eventId]);
        if (others === 0) await engine.remove(queries.eventById, [eventId]);
      },
    },
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

/** Writes a subscription's account numbers, each with the customer whose account it is. */
export async function insertSubscription(engine: WriteEngine, record: SubscriptionRecord): Promise<void> {
  await engine.insertAll(tables.subscriptions, [record]);
  await insertAccounts(engine, record);
}

export async function replaceSubscription(
  engine: WriteEngine,
  record: SubscriptionRecord,
  before?: SubscriptionRecord,
): Promise<void> {
  const former = before ?? (await engine.one(subscriptionById, [record.institutionId, record.id]));
  await engine.replace(tables.subscriptions, record, former);
  if (former?.groupId.join("\n") === record.groupId.join("\n")) return;
  await engine.remove(queries.accountsOfSubscription, [record.institutionId, record.id]);
  await insertAccounts(engine, record);
}

/** Its deliveries stay: they are the log of what was sent. */
export async function removeSubscription(
  engine: WriteEngine,
  institutionId: string,
  id: string,
): Promise<void> {
  await engine.remove(queries.accountsOfSubscription, [institutionId, id]);
  await engine.remove(queries.sequencesOfSubscription, [id]);
  await engine.remove(queries.healthOfSubscription, [id]);
  await engine.remove(subscriptionById, [institutionId, id]);
}

async function insertAccounts(
  engine: WriteEngine,
  { institutionId, id, groupId }: SubscriptionRecord,
): Promise<void> {
  const rows: SubscriptionAccountRecord[] = [];
  for (const accountNumber of new Set(groupId)) {
    const account = await engine.one(accountByNumber, [institutionId, accountNumber]);
    rows.push(
      omitUndefined({ institutionId, subscriptionId: id, accountNumber, customerId: account?.customerId }),
    );
  }
  await engine.insertAll(tables.subscriptionAccounts, rows);
}
