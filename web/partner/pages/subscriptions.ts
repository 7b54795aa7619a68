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
import { linkTo, once, pagedList } from "../../shared/page.ts";
import { subscriptionFacts, subscriptionState, waitingCount } from "../../shared/subscription.ts";
import { badge, table, time } from "../../shared/view.ts";
import { actionButton, formButton, type PartnerContext, type PartnerPage } from "../session.ts";

const pageSize = 50;

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
    text: "The events of your accounts are posted to a public https address. Group ID takes an account number a line: add one for each account.",
    initial: { groupId: [""] },
    done: ({ subscriptionId }) => ["It is made: ", linkTo(["subscriptions", subscriptionId], subscriptionId)],
    refresh,
  });
  const list = pagedList(async (after) => {
    const page = await session.client.listSubscriptions({ pageSize, ...(after !== undefined && { after }) });
    return { rows: page.subscriptions, next: page.next };
  }, subscriptionTable);
  show(main, el("h1", {}, "Subscriptions"), el("p", { class: "actions" }, create), list);
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

function showSubscription({ session, main }: PartnerContext, subscriptionId: string): void {
  const { client } = session;
  const place = el("div", { class: "content" });
  const deliveries = el("div", { class: "content" });
  const readAll = (): void => {
    void load(
      place,
      async () => (await client.getSubscription({ subscriptionId })).subscription,
      (subscription) => [subscriptionFacts(subscription), switchButton(session, subscription, readAll)],
    );
    show(deliveries, deliveryList(session, subscriptionId));
  };
  const test = actionButton("Send a test event", async () => {
    const { deliveryId } = await client.sendTestEvent({ subscriptionId });
    readAll();
    return ["On its way: ", linkTo(["subscriptions", subscriptionId, deliveryId], deliveryId)];
  });
  show(
    main,
    el("h1", {}, "Subscription"),
    el("h2", {}, subscriptionId),
    place,
    test,
    el("h2", {}, "Deliveries"),
    el("p", { class: "actions" }, el("button", { type: "button", onclick: readAll }, "Read again")),
    deliveries,
  );
  readAll();
}

function switchButton(
  session: PartnerContext["session"],
  { subscriptionId, enabled }: Subscription,
  refresh: () => void,
): HTMLElement {
  const button = formButton(session, "UpdateSubscription", {
    label: enabled ? "Disable" : "Enable",
    text: enabled
      ? "What happens meanwhile is held."
      : "`resume` says whether what was held is delivered now; otherwise it is cancelled.",
    // Whether to resume is asked by whoever enables it.
    fixed: { subscriptionId, enabled: !enabled, ...(enabled && { resume: false }) },
    done: ({ subscription, resumed, cancelled }) =>
      subscription.enabled
        ? `It is enabled; ${resumed} events are on their way, ${cancelled} are cancelled.`
        : "It is disabled.",
    refresh,
  });
  return el("p", { class: "actions" }, button);
}

function deliveryList({ client }: PartnerContext["session"], subscriptionId: string): HTMLElement {
  return pagedList(
    async (after) => {
      const by = { subscriptionId, pageSize, ...(after !== undefined && { after }) };
      const page = await client.listDeliveries(by);
      return { rows: page.deliveries, next: page.next };
    },
    (deliveries) =>
      table(
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
      ),
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
      deliveryFacts(delivery, linkTo(["subscriptions", delivery.subscriptionId])),
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
