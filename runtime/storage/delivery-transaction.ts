import type { StoreTransaction, SubscriptionRecord } from "../ports/index.ts";
import * as queries from "./delivery-queries.ts";
import { deliveryView, type DeliveryView } from "./delivery-view.ts";
import type { WriteEngine } from "./engine.ts";
import { accountByNumber, subscriptionById } from "./queries.ts";
import * as tables from "./tables/index.ts";
import type { Table } from "./tables/index.ts";

/** What is changed of events under way, done by an engine. */
export function deliveryTransaction(engine: WriteEngine): Pick<StoreTransaction, keyof DeliveryView> {
  const view = deliveryView(engine);
  const inserting = <R>(table: Table<R>) => ({ insert: async (record: R) => engine.insert(table, record) });

  return {
    ...view,
    events: { ...view.events, ...inserting(tables.events) },
    eventSequences: {
      ...view.eventSequences,
      put: async (record) => engine.put(tables.eventSequences, record),
    },
    deliveries: {
      ...view.deliveries,
      ...inserting(tables.deliveries),
      change: async (id, changes) => {
        await engine.update(queries.deliveryByKey, [id], changes);
      },
      changeClaimed: async (id, claim, changes) =>
        (await engine.update(queries.claimedDelivery, [id, claim], changes)) === 1,
      changeComing: async (subscriptionId, state, changes) =>
        engine.update(queries.comingOfSubscription, [state, subscriptionId, 0], changes),
      releaseClaims: async (now) =>
        engine.update(queries.claimedDeliveries, ["PENDING", 0, ""], { claim: undefined, dueAt: now }),
      remove: async ({ id, eventId }) => {
        await engine.remove(queries.attemptsOfDelivery, [id]);
        await engine.remove(queries.deliveryByKey, [id]);
        const others = await engine.count(queries.deliveriesOfEvent, [eventId]);
        if (others === 0) await engine.remove(queries.eventById, [eventId]);
      },
    },
    deliveryAttempts: { ...view.deliveryAttempts, ...inserting(tables.deliveryAttempts) },
    endpointHealth: {
      ...view.endpointHealth,
      put: async (record) => engine.put(tables.endpointHealth, record),
    },
    serviceKeys: {
      ...view.serviceKeys,
      ...inserting(tables.serviceKeys),
      replace: async (record) => engine.replace(tables.serviceKeys, record),
      remove: async (keyId) => engine.remove(queries.serviceKeyById, [keyId]),
    },
  };
}

/** Writes a subscription's account numbers, each with the customer whose account it is. */
export async function insertSubscription(engine: WriteEngine, record: SubscriptionRecord): Promise<void> {
  await engine.insert(tables.subscriptions, record);
  await insertAccounts(engine, record);
}

export async function replaceSubscription(engine: WriteEngine, record: SubscriptionRecord): Promise<void> {
  const former = await engine.one(subscriptionById, [record.institutionId, record.id]);
  await engine.replace(tables.subscriptions, record);
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
  for (const accountNumber of new Set(groupId)) {
    const account = await engine.one(accountByNumber, [institutionId, accountNumber]);
    await engine.insert(tables.subscriptionAccounts, {
      institutionId,
      subscriptionId: id,
      accountNumber,
      ...(account !== undefined && { customerId: account.customerId }),
    });
  }
}
