import type { OperatorHandlers } from "../../generated/operator/handlers.ts";
import { auditedBySystem } from "../../runtime/store/audit/index.ts";
import type { Contexts } from "../../runtime/contract/index.ts";
import { accountEvent } from "../handlers/presenters/account-event.ts";
import { newWebhookSecret } from "../../runtime/operations/admin/index.ts";
import type { Clock, DeliveryRecord, Sealer, Store, Writes } from "../../runtime/store/ports/index.ts";
import * as known from "./identifiers.ts";
import type { PlannedIds } from "../../runtime/operations/system/index.ts";
import { newKeyPair, type SignedCall } from "./signed-calls.ts";
import { insertSubscription } from "../books/subscriptions.ts";
import { accountByNumber } from "../tables/index.ts";
import {
  events as eventsTable,
  deliveries,
  deliveryAttempts,
  eventSequences,
  mailById,
  mailAttempts,
  proposals,
} from "../../runtime/store/tables/index.ts";

/** What the demo data's callers call with. */
export interface ExampleParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: PlannedIds;
  readonly institutionId: string;
  readonly operate: SignedCall<OperatorHandlers<Contexts>>;
  readonly sealer: Sealer;
  /** Whose subscriptions they are. */
  readonly userName: string;
}

/**
 * Adds what the examples of the operator's and the partner's interface name: users, subscriptions, deliveries, mails and
 * proposals.
 * Nobody changes the account of the subscriptions, and what was not sent is final: a sandbox that nobody uses sends nothing
 * to these addresses.
 */
export async function addExamples(parts: ExampleParts): Promise<void> {
  await addUsers(parts);
  await addSubscriptions(parts);
  await addDeliveries(parts);
  await addMails(parts);
  await addProposals(parts);
}

async function addUsers({ ids, operate, userName }: ExampleParts): Promise<void> {
  const email = "j.lindqvist@northwind.example";
  await operate("IssueCredential", { userName: known.systemUser, email });
  ids.plan({ ids: [known.phoneApiKeyId] });
  await operate("IssueCredential", { userName: known.phoneUser, email });
  ids.plan({ ids: [known.phoneKeyId] });
  await operate("RegisterKey", { userName: known.phoneUserName, PublicKey: newKeyPair().publicKeyPem });
  ids.plan({ ids: [known.spareKeyId] });
  await operate("RegisterKey", { userName, PublicKey: newKeyPair().publicKeyPem });
  await operate("InviteUser", { userName: known.invitedUser, email });
}

async function addSubscriptions(parts: ExampleParts): Promise<void> {
  const { clock, ids, institutionId, sealer, userName } = parts;
  const now = clock.now();
  const common = {
    institutionId,
    userName,
    groupId: [known.settlementNumber],
    enabled: true,
    ordered: false,
    createdAt: now,
    updatedAt: now,
  };
  const newSecret = (): string => sealer.seal(newWebhookSecret(ids));
  await changed(parts, async (tx) => {
    await insertSubscription(tx, {
      ...common,
      id: known.subscriptionId,
      name: "Northwind desk",
      callbackUrl: "https://hooks.northwind.example/ledger",
      events: ["Account.UPDATE"],
      remarks: "Gets what the examples name",
      secretSealed: newSecret(),
    });
    await insertSubscription(tx, {
      ...common,
      id: known.movedSubscriptionId,
      name: "Northwind, former address",
      callbackUrl: "https://old.northwind.example/hook",
      events: ["Account.UPDATE"],
      secretSealed: newSecret(),
    });
  });
}

/** An event that arrived, one that was given up, and one that is not sent any more. */
async function addDeliveries(parts: ExampleParts): Promise<void> {
  const { clock, ids, institutionId } = parts;
  const createdAt = clock.now();
  await changed(parts, async (tx) => {
    const account = await tx.one(accountByNumber, institutionId, known.settlementNumber);
    if (account === undefined) throw new Error(`there is no account ${known.settlementNumber}`);
    const name = "Account.UPDATE";
    const payloadJson = JSON.stringify(accountEvent(account));
    const events = [known.eventId, ids.id(), ids.id()] as const;
    await tx.insert(
      eventsTable,
      ...events.map((id) => ({
        id,
        institutionId,
        name,
        source: known.source,
        topics: [account.number],
        group: account.customerId,
        payloadJson,
        createdAt,
        publishedAt: createdAt,
      })),
    );
    await tx.insert(
      deliveries,
      ...deliveriesOf(events, {
        institutionId,
        subscriptionId: known.subscriptionId,
        eventName: name,
        topics: [account.number],
        attempts: 1,
        failures: 0,
        generation: 0,
        createdAt,
      }),
    );
    const attempt = { number: 1, startedAt: createdAt, durationMs: 48, responseTruncated: false };
    await tx.insert(
      deliveryAttempts,
      { ...attempt, deliveryId: known.arrivedDeliveryId, status: 204 },
      { ...attempt, deliveryId: known.deadDeliveryId, failure: "refused", detail: "connection refused" },
    );
    await tx.put(eventSequences, { subscriptionId: known.subscriptionId, topic: account.number, last: 3 });
  });
}

function deliveriesOf(
  [arrived, dead, cancelled]: readonly [string, string, string],
  delivery: Omit<DeliveryRecord, "id" | "eventId" | "sequence" | "state">,
): readonly DeliveryRecord[] {
  const { createdAt } = delivery;
  return [
    {
      ...delivery,
      id: known.arrivedDeliveryId,
      eventId: arrived,
      sequence: 1,
      state: "DELIVERED",
      deliveredAt: createdAt,
    },
    {
      ...delivery,
      id: known.deadDeliveryId,
      eventId: dead,
      sequence: 2,
      state: "DEAD",
      failures: 1,
      diedAt: createdAt,
    },
    {
      ...delivery,
      id: known.cancelledDeliveryId,
      eventId: cancelled,
      sequence: 3,
      state: "CANCELLED",
      attempts: 0,
      cancelReason: "NOT_RESUMED",
    },
  ];
}

/** One-time passwords of the phone: the first was sent, the second was given up. */
async function addMails(parts: ExampleParts): Promise<void> {
  const { clock, ids, operate, sealer } = parts;
  for (const mailId of [known.sentMailId, known.failedMailId]) {
    ids.plan({ ids: [mailId] });
    await operate("StartDeviceRegistration", { userName: known.phoneUserName });
  }
  const at = clock.now();
  const attempt = { number: 1, startedAt: at, durationMs: 51 };
  await changed(parts, async (tx) => {
    const ended = { attempts: 1, dueAt: undefined };
    await tx.update(
      mailById,
      { ...ended, state: "SENT", messageSealed: sealer.seal(""), sentAt: at },
      known.sentMailId,
    );
    await tx.update(mailById, { ...ended, state: "FAILED", failures: 1, failedAt: at }, known.failedMailId);
    await tx.insert(mailAttempts, { ...attempt, mailId: known.sentMailId });
    await tx.insert(mailAttempts, { ...attempt, mailId: known.failedMailId, failure: "refused" });
  });
}

/** One that waits, and one that two operators have agreed on. */
async function addProposals(parts: ExampleParts): Promise<void> {
  const { clock, ids, institutionId, operate } = parts;
  ids.plan({ ids: [known.openProposalId] });
  await operate("ProposeChange", {
    operation: "UpdateTransactionStatus",
    payload: '{"ReferenceId":"ACH-2026-000871","Status":"COMPLETED"}',
    note: "Urgent",
  });
  ids.plan({ ids: [known.approvedProposalId] });
  await operate("ProposeChange", {
    operation: "SetAccountStatus",
    payload: '{"accountNumber":"100200300402633","status":"BLOCKED"}',
    note: "Asked for by the police",
  });
  const decided = { decidedBy: "bert", decidedAt: clock.now(), reason: "Seen", openUntil: undefined };
  await changed(parts, async (tx) => {
    await tx.update(
      proposals.byKey,
      { ...decided, state: "APPROVED", proposedBy: "anna" },
      institutionId,
      known.approvedProposalId,
    );
  });
}

async function changed(
  { store, clock, institutionId }: ExampleParts,
  work: (tx: Writes) => Promise<void>,
): Promise<void> {
  const by = { institutionId, operation: "ledger-server seed", clock };
  await store.write((tx) => work(auditedBySystem(tx, by)));
}
