import { patch, type Fault } from "../fault.ts";

const announce = "runtime/handlers/services/publish.ts";
const status = "runtime/handlers/services/account-status.ts";
const category = "runtime/handlers/ledger/account-service/update-account-category.ts";
const recipients = "runtime/delivery/outbox/recipients.ts";
const notification = "runtime/delivery/signing/notification.ts";
const signature = "runtime/delivery/signing/webhook-signature.ts";
const sequences = "runtime/delivery/outbox/sequences.ts";
const accountEvent = "runtime/handlers/presenters/account-event.ts";
const transactionEvent = "runtime/handlers/presenters/transaction-event.ts";

export const eventFaults: readonly Fault[] = [
  {
    id: "status-event-missing",
    layer: "events",
    says: "A change of status is not announced.",
    patches: patch(status, "await announceAccountStatus(context, changed);", ""),
  },
  {
    id: "status-event-twice",
    layer: "events",
    says: "A change of status is announced twice.",
    patches: patch(
      status,
      "await announceAccountStatus(context, changed);",
      "await announceAccountStatus(context, changed);\n    await announceAccountStatus(context, changed);",
    ),
  },
  {
    id: "event-without-change",
    layer: "events",
    says: "A change without effect is announced.",
    patches: patch(
      status,
      'if (change === "none") return;',
      'if (change === "none") await announceAccountStatus(context, account);\n  if (change === "none") return;',
    ),
  },
  {
    id: "former-status-announced",
    layer: "events",
    says: "An event has the status that was.",
    patches: patch(
      status,
      "await announceAccountStatus(context, changed);",
      "await announceAccountStatus(context, account);",
    ),
  },
  {
    id: "category-announced",
    layer: "events",
    says: "Another category is announced.",
    patches: patch(
      category,
      "await store.accounts.replace(changed);",
      'await store.accounts.replace(changed);\n    await context.events.record({ name: "Account.UPDATE", accountNumbers: [account.number], customerId: account.customerId, payload: (await import("../../presenters/account-event.ts")).accountEvent(account) });',
    ),
  },
  {
    id: "new-account-not-announced",
    layer: "events",
    says: "A new account is not announced.",
    patches: patch(
      announce,
      'await context.events.record({\n    name: "Account.NEW",',
      'if (account === undefined) await context.events.record({\n    name: "Account.NEW",',
    ),
  },
  {
    id: "new-account-as-update",
    layer: "events",
    says: "A new account is announced as a change.",
    patches: patch(announce, 'name: "Account.NEW",', 'name: "Account.UPDATE",'),
  },
  {
    id: "pool-not-told",
    layer: "events",
    says: "Subscribers to the pool are not told of a new account.",
    patches: patch(
      announce,
      "pool === undefined ? [account.number] : [account.number, pool.number]",
      "pool === undefined ? [account.number] : [account.number]",
    ),
  },
  {
    id: "siblings-not-told",
    layer: "events",
    says: "Subscribers to another account of the customer are not told of a new one.",
    patches: patch(recipients, "return name === newAccount;", 'return name === "nothing";'),
  },
  {
    id: "transaction-not-announced",
    layer: "events",
    says: "A recorded transaction is not announced.",
    patches: patch(
      "runtime/handlers/operator/record-transaction.ts",
      'await announceTransaction(context, "Transaction.NEW", transaction, [debtor, creditor]);',
      "",
    ),
  },
  {
    id: "decision-not-announced",
    layer: "events",
    says: "The decision of a transaction is not announced.",
    patches: patch(
      "runtime/handlers/operator/update-transaction-status.ts",
      'await announceTransaction(context, "Transaction.UPDATE", transaction, [debtor, creditor]);',
      "",
    ),
  },
  {
    id: "only-debtor-told",
    layer: "events",
    says: "Only the debtor's side is told of a transaction.",
    patches: patch(
      announce,
      "sides.map((account) => account.number)",
      "sides.slice(0, 1).map((account) => account.number)",
    ),
  },
  {
    id: "woken-not-announced",
    layer: "events",
    says: "Nobody is told of an account that a credit woke.",
    patches: patch(
      "runtime/handlers/operator/record-transaction.ts",
      "for (const account of woken) await announceAccountStatus(context, account);",
      "void woken; void announceAccountStatus;",
    ),
  },
  {
    id: "every-kind-delivered",
    layer: "events",
    says: "Events of kinds that nobody asked for are delivered.",
    patches: patch(
      recipients,
      "if (subscription?.events.some((name) => names.includes(name)) !== true) continue;",
      "if (subscription === undefined) continue;",
    ),
  },
  {
    id: "customers-events-delivered",
    layer: "events",
    says: "Every event goes to all subscriptions of the customer.",
    patches: patch(recipients, "return name === newAccount;", 'return name !== "nothing";'),
  },
  {
    id: "personal-data",
    layer: "events",
    says: "Account events have the account's name.",
    patches: patch(
      notification,
      "${head}${payloadJson},",
      '${head}${payloadJson.replace(/^{/, \'{"name":"x",\')},',
    ),
  },
  {
    id: "event-without-status",
    layer: "events",
    says: "Account events have no status.",
    patches: patch(accountEvent, "status: account.status,", ""),
  },
  {
    id: "event-without-reference",
    layer: "events",
    says: "Transaction events have no reference.",
    patches: patch(
      transactionEvent,
      "    ReferenceId,\n    TransactionId,\n    TimeStamp,",
      "    TransactionId,\n    TimeStamp,",
    ),
  },
  {
    id: "sequence-stands",
    layer: "events",
    says: "sequence does not grow.",
    patches: patch(sequences, "counter.last += 1;", "counter.last = 1;"),
  },
  {
    id: "sequence-skips",
    layer: "events",
    says: "sequence grows by two.",
    patches: patch(sequences, "counter.last += 1;", "counter.last += 2;"),
  },
  {
    id: "payload-signature-over-all",
    layer: "events",
    says: "signature is not over the bytes of payload.",
    patches: patch(notification, "${head}${payloadJson},", '${head}${payloadJson.replace(/^{/, "{ ")},'),
  },
  {
    id: "no-notification-signature",
    layer: "events",
    says: "Notifications have no signature.",
    patches: patch(
      notification,
      ',"signature":"${signature}"}`',
      "}`.slice(0, 1_000_000 + signature.length)",
    ),
  },
  {
    id: "no-v1a",
    layer: "events",
    says: "Notifications have no v1a signature.",
    patches: patch(signature, 'v1a,${sign(null, bytes, webhookKey).toString("base64")}`', "`.trimEnd()"),
  },
  {
    id: "v1-over-body-alone",
    layer: "events",
    says: "The v1 signature is over the body alone.",
    patches: patch(
      signature,
      'createHmac("sha256", secret).update(bytes)',
      'createHmac("sha256", secret).update(bytes.subarray(bytes.indexOf("{")))',
    ),
  },
  {
    id: "webhook-time-in-milliseconds",
    layer: "events",
    says: "webhook-timestamp is in milliseconds.",
    patches: patch(signature, "String(Math.floor(timeMs / 1_000))", "String(timeMs)"),
  },
  {
    id: "no-group-id",
    layer: "events",
    says: "Notifications have no groupId.",
    patches: patch(notification, "    groupId: delivery.accountNumbers,\n", ""),
  },
  {
    id: "event-id-of-delivery",
    layer: "events",
    says: "Every event has the same eventId.",
    patches: patch(notification, "eventId: event.id,", 'eventId: "1",'),
  },
  {
    id: "no-key-set",
    layer: "events",
    says: "The service does not show its public keys.",
    patches: patch("runtime/http/key-set.ts", '"/.well-known/jwks.json"', '"/.well-known/keys.json"'),
  },
];
