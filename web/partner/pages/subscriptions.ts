import type { Delivery, Subscription } from "../../../generated/partner/client/index.ts";
import {
  attempts,
  cannotResend,
  deliveryFacts,
  notificationTexts,
  liveDelivery,
} from "../../shared/delivery.ts";
import { el, show, type Child } from "../../shared/dom.ts";
import { load } from "../../shared/load.ts";
import { isObject, type JsonObject } from "../../shared/json.ts";
import { every, linkTo, once, pagedList, type Place } from "../../shared/page.ts";
import { subscriptionFacts, subscriptionState, waitingCount } from "../../shared/subscription.ts";
import { actions, badge, copyable, table, time } from "../../shared/view.ts";
import { actionButton, formButton, type PartnerContext, type PartnerPage, type Session } from "../session.ts";
import { withAccounts } from "./accounts.ts";

const pageSize = 50;

/** What the bank's events are about. */
const topics = "Accounts";

/** `#/subscriptions`, `#/subscriptions/<subscription>` and `#/subscriptions/<subscription>/<delivery>`. */
export const subscriptionsPage: PartnerPage = {
  name: "subscriptions",
  title: "Subscriptions",
  operation: ([id, deliveryId]) =>
    deliveryId !== undefined ? "GetDelivery" : id !== undefined ? "GetSubscription" : "ListSubscriptions",
  show(context) {
    const [subscriptionId, deliveryId] = context.args;
    if (subscriptionId === undefined) showList(context);
    else if (deliveryId === undefined) showSubscription(context, subscriptionId);
    else showDelivery(context, subscriptionId, deliveryId);
  },
};

function showList({ session, main, refresh }: PartnerContext): void {
  const create = formButton(session, "CreateSubscription", {
    label: "Subscribe an address",
    text: "The events of your accounts are posted to a public https address.",
    narrowed: withAccounts(session),
    done: ({ subscriptionId }) => ["It is made: ", linkTo(["subscriptions", subscriptionId], subscriptionId)],
    refresh,
  });
  const list = pagedList(
    (place) => session.client.listSubscriptions({ pageSize, ...place }),
    ({ subscriptions }) => subscriptions,
    subscriptionTable,
  );
  show(main, el("h1", {}, "Subscriptions"), actions(create), list);
}

function subscriptionTable(subscriptions: readonly Subscription[]): Child {
  return table(
    "Your subscriptions, the oldest first",
    [
      { title: "Name", of: ({ subscriptionId, name }) => linkTo(["subscriptions", subscriptionId], name) },
      { title: "State", of: subscriptionState },
      { title: "Delivered", of: ({ statistics }) => statistics.delivered, isNumber: true },
      { title: "Waiting", of: waitingCount, isNumber: true },
      { title: "Dead letters", of: ({ statistics }) => statistics.deadLetters, isNumber: true },
      { title: "Last delivered", of: ({ statistics }) => time(statistics.lastDeliveredDate) },
      { title: "Callback address", of: ({ callbackUrl }) => callbackUrl },
    ],
    subscriptions,
    "You have no subscription yet.",
  );
}

function showSubscription({ session, main, signal }: PartnerContext, subscriptionId: string): void {
  const { client } = session;
  const heading = el("h1", {}, "Subscription");
  const place = el("div", { class: "content" });
  const readAgain = (): void =>
    void load(
      place,
      async () => (await client.getSubscription({ subscriptionId })).subscription,
      (subscription) => {
        show(heading, subscription.name);
        return [subscriptionFacts(subscription, topics), changes(session, subscription, readAgain)];
      },
    );
  const { deliveries, again } = deliveryList(session, subscriptionId, signal);
  const test = actionButton("Send a test event", async () => {
    const { deliveryId } = await client.sendTestEvent({ subscriptionId });
    void again();
    return ["On its way: ", linkTo(["subscriptions", subscriptionId, deliveryId], deliveryId)];
  });
  show(
    main,
    heading,
    el("p", {}, "Identifier ", copyable(subscriptionId)),
    place,
    el("h2", {}, "Deliveries"),
    test,
    deliveries,
  );
  readAgain();
}

function changes(session: Session, subscription: Subscription, refresh: () => void): HTMLElement {
  const { subscriptionId, name, callbackUrl, events, groupId, remarks = "", ordered } = subscription;
  const fixed = { subscriptionId };
  const initial = { name, callbackUrl, events, groupId, remarks, ordered };
  return actions(
    formButton(session, "UpdateSubscription", {
      label: "Change",
      text: "What waits for an attempt goes to a new address at once. New events and accounts count from now on.",
      fixed,
      initial,
      narrowed: async (schema) =>
        only(await withAccounts(session)(schema), ["subscriptionId", ...Object.keys(initial)]),
      done: () => "The subscription is changed.",
      refresh,
    }),
    switchButton(session, subscription, refresh),
    formButton(session, "RevealSubscriptionSecret", {
      label: "Show the secret",
      text: "The secret is shown once: give it to your receiver. That it was shown is in the operator's audit log.",
      fixed,
      conflict: "The secret was shown before. If it is lost, rotate it.",
      done: ({ secret }) => copyable(secret),
      refresh,
    }),
    formButton(session, "RotateSubscriptionSecret", {
      label: "Rotate the secret",
      text: "Notifications are signed with both secrets for as long as the overlap says. The new one is shown once.",
      fixed,
      initial: { overlapSeconds: 86_400 },
      done: ({ secret, formerSecretUntil }) => [
        copyable(secret),
        " The former secret signs too until ",
        time(formerSecretUntil),
        ".",
      ],
      refresh,
    }),
    formButton(session, "DeleteSubscription", {
      label: "Delete",
      text: "Deliveries that wait are cancelled. This cannot be undone.",
      fixed,
      confirm: name,
      done: () => "The subscription is deleted.",
      refresh: () => {
        location.hash = "#/subscriptions";
      },
    }),
  );
}

/** A schema with some of its fields; other buttons set the rest. So it does not say that one of several is needed either. */
function only({ anyOf: _other, ...schema }: JsonObject, names: readonly string[]): JsonObject {
  const properties = isObject(schema["properties"]) ? schema["properties"] : {};
  const kept = Object.entries(properties).filter(([name]) => names.includes(name));
  return { ...schema, properties: Object.fromEntries(kept) };
}

function switchButton(
  session: Session,
  { subscriptionId, enabled }: Subscription,
  refresh: () => void,
): HTMLElement {
  return formButton(session, "UpdateSubscription", {
    label: enabled ? "Disable" : "Enable",
    text: enabled
      ? "What happens meanwhile is held."
      : "`resume` says whether what was held is delivered now; otherwise it is cancelled.",
    // Whether to resume is asked by whoever enables it.
    fixed: { subscriptionId, enabled: !enabled, ...(enabled && { resume: false }) },
    narrowed: async (schema) => only(schema, ["subscriptionId", "enabled", "resume"]),
    done: ({ subscription, resumed, cancelled }) =>
      subscription.enabled
        ? `It is enabled; ${resumed} events are on their way, ${cancelled} are cancelled.`
        : "It is disabled.",
    refresh,
  });
}

const againSeconds = 3;

/** The newest deliveries, read again by themselves, and all of them on demand. */
function deliveryList(
  { client }: Session,
  subscriptionId: string,
  signal: AbortSignal,
): { readonly deliveries: HTMLElement; readonly again: () => Promise<void> } {
  const read = (from: Place) => client.listDeliveries({ subscriptionId, pageSize, ...from });
  const place = el("div", { class: "content", "aria-live": "off" });
  const deliveries = el("div", {}, place);
  let isLive = true;
  const showAll = (): void => {
    isLive = false;
    show(
      deliveries,
      pagedList(read, ({ deliveries: rows }) => rows, deliveryTable),
    );
  };
  const allButton = (): HTMLElement =>
    actions(el("button", { type: "button", onclick: showAll }, "Show earlier ones"));
  const again = async (): Promise<void> => {
    if (!isLive) return;
    await load(
      place,
      () => read({}),
      ({ deliveries: newest, next }) => [deliveryTable(newest), next === undefined ? undefined : allButton()],
    );
  };
  void again();
  every(againSeconds, signal, again);
  return { deliveries, again };
}

function deliveryTable(deliveries: readonly Delivery[]): Child {
  return table(
    "Deliveries, the newest first",
    [
      { title: "Event", of: linkToDelivery },
      { title: "State", of: ({ state }) => badge(state) },
      { title: "Attempts", of: ({ attempts }) => attempts, isNumber: true },
      { title: "Made", of: ({ createdDate }) => time(createdDate) },
      { title: "Next attempt", of: ({ nextAttemptDate }) => time(nextAttemptDate) },
    ],
    deliveries,
    "Nothing was to be delivered yet.",
  );
}

function linkToDelivery({ subscriptionId, deliveryId, eventName }: Delivery): HTMLElement {
  return linkTo(["subscriptions", subscriptionId, deliveryId], eventName);
}

function showDelivery(
  { session, main, signal }: PartnerContext,
  subscriptionId: string,
  deliveryId: string,
): void {
  const { client } = session;
  // Each reading signs it anew: what is shown stays while the delivery is followed.
  const notification = once(() => client.getNotification({ deliveryId }));
  const { place, again } = liveDelivery(
    signal,
    async () => ({ ...(await client.getDelivery({ deliveryId })), posted: await notification() }),
    ({ delivery }) => delivery,
    ({ delivery, attemptsMade, posted }) => [
      deliveryFacts(delivery, linkTo(["subscriptions", delivery.subscriptionId]), topics),
      attempts(attemptsMade),
      notificationTexts(posted),
    ],
  );
  const resend = actionButton(
    "Send it again",
    async () => {
      await client.redeliverOne({ deliveryId });
      void again();
      return "It is on its way again: what comes of it shows below.";
    },
    cannotResend,
  );
  show(
    main,
    el("h1", {}, "Delivery"),
    el("p", {}, linkTo(["subscriptions", subscriptionId], "Back to the subscription")),
    el("h2", {}, deliveryId),
    resend,
    place,
  );
}
