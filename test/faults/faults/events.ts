import { randomUUID } from "node:crypto";
import { withContext, withHandler } from "../changes/handlers.ts";
import { deliveredFrom, withEventPayload, withEvents, withNotificationHeader } from "../changes/events.ts";
import { faultOf, type Fault } from "../fault.ts";
import { accountByNumber } from "../../../ledger/tables/index.ts";

const fault = faultOf("events");
const setStatus = "AccountService.UpdateAccountStatus";

/** Events of one name are not written to the outbox. */
const lost = (name: string): Pick<Fault, "options" | "operatorOptions"> =>
  withEvents((event) => (event.name === name ? [] : [event]));

/** Each notification has another body; its webhook signatures are made over that one. */
const withBody = (change: (body: string) => string): Pick<Fault, "notification"> => ({
  notification: ({ headers, body }) => ({ headers, body: change(body) }),
});

const without = (name: string): ReturnType<typeof withEventPayload> =>
  withEventPayload(({ [name]: _gone, ...others }) => others);

export const eventFaults: readonly Fault[] = [
  fault("status-event-missing", "A change of status is not announced.", {
    options: withContext(setStatus, ({ events }) => ({
      events: { ...events, record: () => Promise.resolve() },
    })),
  }),
  fault(
    "status-event-twice",
    "A change of status is announced twice.",
    withEvents((event) =>
      event.name === "Account.UPDATE" ? [event, { ...event, id: randomUUID() }] : [event],
    ),
  ),
  fault("event-without-change", "A status change without effect is announced.", {
    options: withHandler(setStatus, (sound) => async (payload, context) => {
      const { institutionId } = context.caller;
      const account = await context.store.one(
        accountByNumber,
        institutionId,
        String(payload["accountNumber"]),
      );
      const result = await sound(payload, context);
      if (account !== undefined && account.status === payload["status"])
        await context.events.record({
          name: "Account.UPDATE",
          topics: [account.number],
          group: account.customerId,
          payload: { number: account.number, status: account.status },
        });
      return result;
    }),
  }),
  fault("former-status-announced", "An event has the status that was.", {
    options: withHandler(setStatus, (sound) => async (payload, context) => {
      const { institutionId } = context.caller;
      const account = await context.store.one(
        accountByNumber,
        institutionId,
        String(payload["accountNumber"]),
      );
      const events: typeof context.events = {
        ...context.events,
        record: (event) =>
          context.events.record({ ...event, payload: { ...event.payload, status: account?.status } }),
      };
      return sound(payload, { ...context, events });
    }),
  }),
  fault("category-announced", "Another category is announced.", {
    options: withHandler("AccountService.UpdateAccountCategory", (sound) => async (payload, context) => {
      const { institutionId } = context.caller;
      const account = await context.store.one(
        accountByNumber,
        institutionId,
        String(payload["AccountNumber"]),
      );
      const result = await sound(payload, context);
      if (account !== undefined)
        await context.events.record({
          name: "Account.UPDATE",
          topics: [account.number],
          group: account.customerId,
          payload: { number: account.number, status: account.status },
        });
      return result;
    }),
  }),
  fault("new-account-not-announced", "A new account is not announced.", lost("Account.NEW")),
  fault(
    "new-account-as-update",
    "A new account is announced as a change.",
    withEvents((event) => [event.name === "Account.NEW" ? { ...event, name: "Account.UPDATE" } : event]),
  ),
  fault(
    "pool-not-told",
    "Subscribers to the pool do not receive its new account.",
    withEvents((event) => [
      event.name === "Account.NEW" ? { ...event, topics: event.topics.slice(0, 1) } : event,
    ]),
  ),
  fault("siblings-not-told", "Subscribers to another account of the customer do not receive a new one.", {
    delivery: deliveredFrom({
      reading: ({ subscriptionTopics }) => ({
        subscriptionTopics: {
          ...subscriptionTopics,
          inLane: (audience, ...place) =>
            audience.kind === "group" ? Promise.resolve([]) : subscriptionTopics.inLane(audience, ...place),
        },
      }),
    }),
  }),
  fault("transaction-not-announced", "A recorded transaction is not announced.", lost("Transaction.NEW")),
  fault(
    "decision-not-announced",
    "The decision of a transaction is not announced.",
    lost("Transaction.UPDATE"),
  ),
  fault(
    "only-debtor-told",
    "Only the debtor's side receives the event of a transaction.",
    withEvents((event) => [
      event.name.startsWith("Transaction.") ? { ...event, topics: event.topics.slice(0, 1) } : event,
    ]),
  ),
  fault("woken-not-announced", "An account that a credit woke is not announced.", {
    operatorOptions: withContext("RecordTransaction", ({ events }) => ({
      events: {
        ...events,
        record: (event) => (event.name === "Account.UPDATE" ? Promise.resolve() : events.record(event)),
      },
    })),
  }),
  fault("every-kind-delivered", "Events of kinds that a subscription did not ask for are delivered.", {
    delivery: deliveredFrom({
      reading: ({ subscriptionTargets }) => ({
        subscriptionTargets: {
          ...subscriptionTargets,
          async find(institutionId, ids) {
            const found = await subscriptionTargets.find(institutionId, ids);
            const events = ["Account.NEW", "Account.UPDATE", "Transaction.NEW", "Transaction.UPDATE"];
            return found.map((target) => ({ ...target, events }));
          },
        },
      }),
    }),
  }),
  fault("other-side-in-group", "groupId has a number that the subscriber did not name.", {
    delivery: deliveredFrom({
      reading: ({ subscriptionTopics }) => ({
        subscriptionTopics: {
          ...subscriptionTopics,
          inLane: async (topic, ...place) => {
            const found = await subscriptionTopics.inLane(topic, ...place);
            return found.flatMap((row) => [row, { ...row, accountNumber: "100000000000007" }]);
          },
        },
      }),
    }),
  }),
  fault("sequence-stands", "sequence does not grow.", {
    delivery: deliveredFrom({
      writing: ({ eventSequences }) => ({
        eventSequences: { ...eventSequences, putAll: () => Promise.resolve() },
      }),
    }),
  }),
  fault("sequence-skips", "sequence grows by two.", {
    delivery: deliveredFrom({
      writing: ({ eventSequences }) => ({
        eventSequences: {
          ...eventSequences,
          putAll: (all) => eventSequences.putAll(all.map((each) => ({ ...each, last: each.last + 1 }))),
        },
      }),
    }),
  }),
  fault(
    "personal-data",
    "Account events have a name.",
    withEventPayload((payload) => ({ name: "x", ...payload })),
  ),
  fault("event-without-status", "Events have no status.", without("status")),
  fault("event-without-reference", "Transaction events have no reference.", without("ReferenceId")),
  fault(
    "event-of-long-ago",
    "The timestamp of a notification is not when it happened.",
    withEvents((event) => [{ ...event, createdAt: event.createdAt - 86_400_000 }]),
  ),
  fault(
    "event-without-source",
    "The source of a notification is empty.",
    withEvents((event) => [{ ...event, source: "" }]),
  ),
  fault(
    "payload-signature-over-all",
    "signature is not over the bytes of payload.",
    withBody((body) => body.replace('"payload":{', '"payload":{ ')),
  ),
  fault(
    "no-notification-signature",
    "Notifications have no signature.",
    withBody((body) => body.replace(/,"signature":"[^"]*"\}$/, "}")),
  ),
  fault(
    "no-group-id",
    "Notifications have no groupId.",
    withBody((body) => body.replace(/"groupId":\[[^\]]*\],/, "")),
  ),
  fault(
    "same-event-id",
    "Every event has the same eventId.",
    withBody((body) => body.replace(/"eventId":"[^"]*"/, '"eventId":"1"')),
  ),
  fault("no-v1a", "Notifications have no v1a signature.", {
    notification: withNotificationHeader("webhook-signature", (value) => value.replace(/ ?v1a,\S+/, "")),
  }),
  fault("v1-of-another-secret", "The v1 signature is not by the secret of the subscription.", {
    notification: withNotificationHeader("webhook-signature", (value) =>
      value.replace(/v1,\S+/, `v1,${Buffer.alloc(32, 1).toString("base64")}`),
    ),
  }),
  fault("webhook-time-in-milliseconds", "webhook-timestamp is in milliseconds.", {
    notification: withNotificationHeader("webhook-timestamp", (value) => `${value}000`),
  }),
  fault("webhook-id-of-its-own", "webhook-id is another in each attempt.", {
    notification: withNotificationHeader("webhook-id", () => randomUUID()),
  }),
];

const login = "CustomerService.CreateLegalRepLogin";
const mail = faultOf("mail");

export const mailFaults: readonly Fault[] = [
  mail("no-portal-mail", "The portal's login is not mailed.", {
    options: withContext(login, ({ mail: sound }) => ({
      mail: { ...sound, queue: () => Promise.resolve() },
    })),
  }),
  mail("portal-mail-to-customer", "The portal's login is mailed to another address.", {
    options: withContext(login, ({ mail: sound }) => ({
      mail: {
        ...sound,
        queue: (draft, recipient) => sound.queue({ ...draft, to: "office@elsewhere.example" }, recipient),
      },
    })),
  }),
  mail("no-password-mail", "A one-time password is not mailed.", {
    operatorOptions: withContext("StartDeviceRegistration", ({ mail: sound }) => ({
      mail: { ...sound, queue: () => Promise.resolve() },
    })),
  }),
];
