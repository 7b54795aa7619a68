import type {
  DeliveryAttemptRecord,
  DeliveryRecord,
  EndpointHealthRecord,
  EventRecord,
  OutboxEventRecord,
  ServiceKeyRecord,
  Writes,
  SubscriptionRecord,
} from "../../runtime/store/ports/index.ts";
import { account, awkwardText, bank, user } from "./samples.ts";
import { eventById, events, deliveries } from "../../runtime/store/tables/index.ts";

export const subscription: SubscriptionRecord = {
  id: "subscription-1",
  institutionId: bank.id,
  userName: user.userName,
  name: "All",
  callbackUrl: "https://example.com/hook",
  events: ["Account.NEW"],
  groupId: [account.number],
  remarks: awkwardText,
  secretSealed: "sealed",
  formerSecretSealed: "sealed before",
  formerSecretUntil: 5,
  enabled: true,
  disabledReason: "GONE",
  disabledAt: 4,
  ordered: true,
  createdAt: 1,
  updatedAt: 2,
};

export const event: EventRecord = {
  id: "event-1",
  institutionId: bank.id,
  name: "Account.NEW",
  source: "LEDGER",
  topics: [account.number, awkwardText],
  group: account.customerId,
  payloadJson: `{"balance":1.10}`,
  createdAt: 1,
  publishedAt: 2,
};

export const outboxEvent: OutboxEventRecord = {
  id: "event-1",
  institutionId: bank.id,
  name: "Account.NEW",
  source: "LEDGER",
  topics: [account.number],
  group: account.customerId,
  payloadJson: "{}",
  createdAt: 1,
};

/** Every field present, whatever its state. */
export const delivery: DeliveryRecord = {
  id: "delivery-1",
  institutionId: bank.id,
  subscriptionId: subscription.id,
  eventId: event.id,
  eventName: event.name,
  topics: [account.number, awkwardText],
  sequence: 7,
  generation: 0,
  state: "PENDING",
  attempts: 3,
  failures: 2,
  dueAt: 50,
  claimedBy: "worker-1",
  orderingKey: account.number,
  diedAt: 60,
  deliveredAt: 70,
  createdAt: 40,
};

export const attempt: DeliveryAttemptRecord = {
  deliveryId: delivery.id,
  number: 1,
  startedAt: 41,
  durationMs: 12,
  status: 503,
  failure: "status",
  detail: "503 Service Unavailable",
  response: awkwardText,
  responseTruncated: true,
};

export const health: EndpointHealthRecord = {
  institutionId: bank.id,
  subscriptionId: subscription.id,
  delivered: 1,
  failedAttempts: 2,
  deadLetters: 3,
  lastDeliveredAt: 4,
  lastFailedAt: 5,
  lastFailure: "timeout",
  failingSince: 6,
  reviewAt: 7,
  pausedUntil: 8,
};

export const serviceKey: ServiceKeyRecord = {
  keyId: "key-1",
  algorithm: "EdDSA",
  publicKeyPem: "-----BEGIN PUBLIC KEY-----\n",
  privateKeySealed: "sealed",
  createdAt: 1,
  retiredAt: 2,
};

/** A plain PENDING delivery of an event of its own, and what a test says. */
export async function insertDelivery(
  tx: Writes,
  id: string,
  fields: Partial<DeliveryRecord> = {},
): Promise<DeliveryRecord> {
  const record: DeliveryRecord = {
    id,
    institutionId: bank.id,
    subscriptionId: subscription.id,
    eventId: `event of ${id}`,
    eventName: "Account.NEW",
    topics: [account.number],
    sequence: 1,
    generation: 0,
    state: "PENDING",
    attempts: 0,
    failures: 0,
    createdAt: 1,
    ...fields,
  };
  if ((await tx.one(eventById, record.eventId)) === undefined) {
    await tx.insert(events, { ...event, id: record.eventId });
  }
  await tx.insert(deliveries, record);
  return record;
}
