import type { Subscription } from "../../../generated/admin/client/index.ts";
import { el, show, type Child } from "../../shared/dom.ts";
import { linkTo, pagedList, section } from "../../shared/page.ts";
import { subscriptionFacts, subscriptionState, waitingCount } from "../../shared/subscription.ts";
import { actions, copyable, table, time } from "../../shared/view.ts";
import { actionButton, type ConsolePage, type PageContext } from "../session.ts";

export const subscriptionsPage: ConsolePage = {
  name: "subscriptions",
  title: "Subscriptions",
  operation: ([id]) => (id === undefined ? "ListSubscriptions" : "GetSubscription"),
  show(context) {
    const [subscriptionId] = context.args;
    if (subscriptionId === undefined) showList(context);
    else showSubscription(context, subscriptionId);
  },
};

function showList({ session, main }: PageContext): void {
  const list = pagedList(
    (place) => session.client.listSubscriptions({ pageSize: 50, ...place }),
    ({ subscriptions }) => subscriptions,
    (subscriptions) =>
      subscriptionTable(
        subscriptions,
        "There is no subscription yet: users make them by the interface that announces the events.",
      ),
  );
  show(main, el("h1", {}, "Subscriptions"), list);
}

/** Subscriptions with how they go, or the words for none. */
export function subscriptionTable(subscriptions: readonly Subscription[], empty: string): Child {
  return table(
    "Subscriptions",
    [
      { title: "Name", of: ({ subscriptionId, name }) => linkTo(["subscriptions", subscriptionId], name) },
      { title: "User", of: ({ userName }) => linkTo(["users", userName], userName) },
      { title: "State", of: subscriptionState },
      { title: "Delivered", of: ({ statistics }) => statistics.delivered, isNumber: true },
      { title: "Waiting", of: waitingCount, isNumber: true },
      { title: "Dead letters", of: ({ statistics }) => statistics.deadLetters, isNumber: true },
      { title: "Last delivered", of: ({ statistics }) => time(statistics.lastDeliveredDate) },
      { title: "Callback address", of: ({ callbackUrl }) => callbackUrl },
    ],
    subscriptions,
    empty,
  );
}

function showSubscription(context: PageContext, subscriptionId: string): void {
  const { session, main } = context;
  show(
    main,
    el("h1", {}, "Subscription"),
    section(
      subscriptionId,
      async () => (await session.client.getSubscription({ subscriptionId })).subscription,
      (subscription) => subscriptionDetails(context, subscription),
    ),
    el("p", {}, linkTo(["deliveries", "of", subscriptionId], "Deliveries of this subscription")),
    el("p", {}, linkTo(["audit", "subscription", subscriptionId], "Audit of this subscription")),
  );
}

function subscriptionDetails(context: PageContext, subscription: Subscription): Child {
  return [
    subscriptionFacts(subscription, context.session.topics, [
      ["User", linkTo(["users", subscription.userName], subscription.userName)],
    ]),
    actions(subscriptionActions(context, subscription)),
  ];
}

function subscriptionActions({ session, refresh }: PageContext, subscription: Subscription): Child {
  const { subscriptionId, enabled } = subscription;
  const fixed = { subscriptionId };
  return [
    actionButton(session, "SendTestEvent", {
      label: "Send a test event",
      fixed,
      done: ({ deliveryId }) => ["On its way: ", linkTo(["deliveries", deliveryId], deliveryId)],
      refresh,
    }),
    actionButton(session, "UpdateSubscription", {
      label: enabled ? "Disable or change" : "Enable or change",
      text: "`resume` says whether what was held is delivered when it is enabled again.",
      fixed,
      initial: { enabled: !enabled },
      done: () => "The subscription is changed.",
      refresh,
    }),
    actionButton(session, "RedeliverRange", {
      label: "Deliver a time range again",
      fixed,
      initial: { from: new Date(Date.now() - 86_400_000).toISOString(), to: new Date().toISOString() },
      done: ({ queued }) => `${queued} deliveries are on their way.`,
      refresh,
    }),
    actionButton(session, "GetSubscriptionSecret", {
      label: "Show the secret",
      text: "That it was shown is in the audit log.",
      fixed,
      done: ({ secret }) => copyable(secret),
      refresh,
    }),
    actionButton(session, "RotateSubscriptionSecret", {
      label: "Rotate the secret",
      text: "Events are signed with both secrets for as long as the overlap says.",
      fixed,
      done: ({ secret }) => copyable(secret),
      refresh,
    }),
    actionButton(session, "TransferSubscription", {
      label: "Give it to another user",
      fixed,
      done: ({ subscription: { userName } }) => `It belongs to ${userName} now.`,
      refresh,
    }),
    actionButton(session, "DeleteSubscription", {
      label: "Delete",
      text: "Deliveries that wait are cancelled. This cannot be undone.",
      fixed,
      confirm: subscription.name,
      done: () => "The subscription is deleted.",
      refresh: () => {
        location.hash = "#/subscriptions";
      },
    }),
  ];
}
