import type { Delivery, DeliveryState, GetDeliveryResult } from "../../../generated/admin/client/index.ts";
import { el, show, type Child } from "../../shared/dom.ts";
import {
  attempts,
  cannotResend,
  deliveryFacts,
  exactText,
  liveDelivery,
  notificationTexts,
  type ShownNotification,
} from "../../shared/delivery.ts";
import { failureText } from "../../shared/failure.ts";
import { textOf } from "../../shared/json.ts";
import { load } from "../../shared/load.ts";
import { titled, every, linkTo, once } from "../../shared/page.ts";
import { listOf } from "../../shared/schema.ts";
import { actions, badge, notice, table, time } from "../../shared/view.ts";
import { actionButton, type ConsolePage, type PageContext } from "../session.ts";

const liveSeconds = 3;

export const deliveriesPage: ConsolePage = {
  name: "deliveries",
  title: "Deliveries",
  operation: ([first]) =>
    first === undefined || first === "of" || first === "in" ? "ListDeliveries" : "GetDelivery",
  show(context) {
    const [first, second] = context.args;
    if (first === undefined) showList(context, {});
    else if (first === "of" && second !== undefined) showList(context, { subscriptionId: second });
    else if (first === "in" && second !== undefined) showList(context, { state: second });
    else showDelivery(context, first);
  },
};

function showList(
  { session, main, signal }: PageContext,
  { subscriptionId, state }: { readonly subscriptionId?: string; readonly state?: string },
): void {
  const states = listOf(session.schema.of("DeliveryState")["enum"]).map(textOf);
  const isState = (text = ""): text is DeliveryState => states.includes(text);
  const known = isState(state) ? state : undefined;
  const place = el("div", { class: "content", "aria-live": "off" });
  const read = async () => {
    const by = {
      ...(subscriptionId !== undefined && { subscriptionId }),
      ...(known !== undefined && { state: known }),
    };
    return (await session.client.listDeliveries({ pageSize: 50, ...by })).deliveries;
  };
  const again = () => load(place, read, (deliveries) => deliveryTable(deliveries));
  const filters = actions(
    filterLink(["deliveries"], "All", known === undefined && subscriptionId === undefined),
    states.map((each) => filterLink(["deliveries", "in", each], each, each === known)),
  );
  const title = subscriptionId === undefined ? "Deliveries" : `Deliveries of ${subscriptionId}`;
  show(
    main,
    el("h1", {}, title, known === undefined ? undefined : `: ${known}`),
    filters,
    el("p", { class: "hint" }, `The newest 50, read again every ${liveSeconds} seconds.`),
    place,
  );
  void again();
  every(liveSeconds, signal, again);
}

/** Narrows a list. */
export function filterLink(path: readonly string[], text: string, isCurrent: boolean): HTMLElement {
  const link = linkTo(path, text);
  if (isCurrent) link.setAttribute("aria-current", "true");
  return link;
}

export function deliveryTable(deliveries: readonly Delivery[]): Child {
  return table(
    "Deliveries, the newest first",
    [
      { title: "Event", of: ({ deliveryId, eventName }) => linkTo(["deliveries", deliveryId], eventName) },
      { title: "State", of: ({ state }) => badge(state) },
      { title: "Attempts", of: ({ attempts }) => attempts, isNumber: true },
      { title: "Made", of: ({ createdDate }) => time(createdDate) },
      { title: "Next attempt", of: ({ nextAttemptDate }) => time(nextAttemptDate) },
      { title: "Subscription", of: ({ subscriptionId }) => linkTo(["subscriptions", subscriptionId]) },
    ],
    deliveries,
    "There is no such delivery.",
  );
}

function showDelivery(context: PageContext, deliveryId: string): void {
  const { client } = context.session;
  // Each reading signs it anew: what is shown stays while the delivery is followed.
  const notification = once(() => client.getNotification({ deliveryId }));
  const { place } = liveDelivery(
    context.signal,
    async () => {
      const read = await client.getDelivery({ deliveryId });
      return { ...read, posted: await notification().catch((error: unknown) => failureText(error)) };
    },
    ({ delivery }) => delivery,
    (delivery) => deliveryDetails(context, delivery),
  );
  show(context.main, el("h1", {}, "Delivery"), titled(deliveryId, place));
}

/** A delivery with its notification, or why that cannot be read. */
interface ReadDelivery extends GetDeliveryResult {
  readonly posted: ShownNotification | string;
}

function deliveryDetails(
  { session, refresh }: PageContext,
  { delivery, attemptsMade, payload, posted }: ReadDelivery,
): Child {
  return [
    deliveryFacts(delivery, linkTo(["subscriptions", delivery.subscriptionId]), session.topics),
    actions(
      actionButton(session, "RedeliverOne", {
        label: "Send it again",
        conflict: cannotResend,
        fixed: { deliveryId: delivery.deliveryId },
        done: ({ delivery: { state } }) => `It is ${state} now.`,
        refresh,
      }),
    ),
    attempts(attemptsMade),
    typeof posted === "string"
      ? [notice("error", `Headers and body cannot be shown. ${posted}`), payloadText(payload)]
      : notificationTexts(posted),
  ];
}

function payloadText(payload: string): Child {
  return exactText(
    "Payload",
    payload,
    "The body's member `payload`, byte for byte: its signature covers it.",
  );
}
