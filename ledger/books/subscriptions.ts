import { omitUndefined } from "../../runtime/contract/index.ts";
import type { SubscriptionTopicRecord, SubscriptionRecord, Writes } from "../../runtime/store/ports/index.ts";
import {
  topicsOfSubscription,
  subscriptionTopics,
  subscriptionById,
  subscriptions,
} from "../../runtime/store/tables/index.ts";
import { accountsByNumbers } from "../tables/accounts.ts";

/** Adds a subscription, and its topics with the group that each belongs to. */
export async function insertSubscription(tx: Writes, record: SubscriptionRecord): Promise<void> {
  await tx.insert(subscriptions, record);
  await insertTopics(tx, record, record.userName);
}

export async function replaceSubscription(
  tx: Writes,
  record: SubscriptionRecord,
  before?: SubscriptionRecord,
): Promise<void> {
  const key = [record.institutionId, record.id];
  const former = before ?? (await tx.one(subscriptionById, ...key));
  await tx.replace(subscriptions, record, former);
  if (former?.groupId.join("\n") === record.groupId.join("\n")) return;
  const [held] = await tx.many(topicsOfSubscription, ...key);
  await tx.remove(topicsOfSubscription, ...key);
  await insertTopics(tx, record, held?.lane ?? record.userName);
}

async function insertTopics(
  tx: Writes,
  { institutionId, id: subscriptionId, groupId }: SubscriptionRecord,
  lane: string,
): Promise<void> {
  const customers = await customersOfNumbers(tx, institutionId, groupId);
  const rows = [...new Set(groupId)].map((topic): SubscriptionTopicRecord => {
    const group = customers.get(topic);
    return omitUndefined({ institutionId, subscriptionId, topic, group, lane });
  });
  await tx.insert(subscriptionTopics, ...rows);
}

/** The customer of each account: a topic's group. */
export async function customersOfNumbers(
  tx: Writes,
  institutionId: string,
  numbers: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const accounts = await tx.many(accountsByNumbers, institutionId, numbers);
  return new Map(accounts.map(({ number, customerId }) => [number, customerId]));
}
