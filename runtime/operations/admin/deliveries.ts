import { omitUndefined } from "../../contract/index.ts";
import { timestampText } from "../../contract/times.ts";
import {
  eventFor,
  notificationNow,
  readBacklog,
  redeliver,
  redeliverAll,
  type NotificationNowOptions,
  type Waiting,
} from "../../events/index.ts";
import { lastAttemptsOf } from "../../events/model/stored-deliveries.ts";
import type { ReadContext, WriteContext } from "../../pipeline/handler-context.ts";
import type {
  DeliveryAttemptRecord,
  DeliveryQuery,
  DeliveryRecord,
  Reads,
  SubscriptionRecord,
} from "../../store/ports/index.ts";
import { deliveryListing, eventById } from "../../store/tables/index.ts";
import {
  optionalTimestamp,
  pageOf,
  pageToken,
  placeOf,
  standardPageSize,
  timeRange,
  type Failing,
  type PageErrors,
} from "./pages.ts";
import { auditSubscription } from "./subscriptions.ts";
import type { Visible } from "./visible.ts";

/** The filters of a list of deliveries. */
export interface DeliveriesAsked extends Pick<DeliveryQuery, "subscriptionId" | "eventId" | "state"> {
  readonly topic?: string;
  readonly from?: string;
  readonly to?: string;
  readonly pageSize?: number;
  readonly after?: string;
}

type Reading = Pick<ReadContext, "store" | "caller">;

export interface OneDelivery {
  readonly deliveryId: string;
}

export interface DeliveryRange {
  readonly subscriptionId: string;
  readonly from?: string;
  readonly to?: string;
  readonly deadLettersOnly?: boolean;
  readonly after?: string;
}

/** Deliveries that one call sends again. */
const queuedMax = 1_000;

/** Deliveries, as far as the caller sees them. */
// oxlint-disable-next-line max-lines-per-function -- a table of handlers that find by the same rules
export const deliveryHandlers = (visible: Visible) => ({
  /**
   * A page of deliveries, the newest first. It may hold fewer than asked for, or none, although there are more: `next`
   * says so.
   */
  listDeliveries: (asked: DeliveriesAsked, context: Reading & PageErrors) =>
    deliveriesPage(context, asked, visible),

  /** A page of the deliveries that were given up, the newest first. */
  listDeadLetters: (asked: DeliveriesAsked, context: Reading & PageErrors) =>
    deliveriesPage(context, { ...asked, state: "DEAD" }, visible),

  /** What waits of the institution, and what was given up. Operators bound to groups may not read it. */
  async getBacklog(
    { countTo = Infinity }: { readonly countTo?: number },
    { store, caller, error }: Reading & Failing<"UNAUTHORIZED">,
  ) {
    if (caller.groups !== undefined) throw error("UNAUTHORIZED", { reason: "limited-to-groups" });
    const backlog = await readBacklog(store, caller.institutionId);
    const backlogOf = ({ count, oldestAt }: Waiting) => ({
      count: Math.min(count, countTo),
      ...omitUndefined({ oldestDate: optionalTimestamp(oldestAt) }),
    });
    return {
      events: backlogOf(backlog.events),
      laneEvents: backlogOf(backlog.laneEvents),
      usersAtLimit: backlogOf(backlog.usersAtLimit),
      pending: backlogOf(backlog.PENDING),
      waiting: backlogOf(backlog.WAITING),
      held: backlogOf(backlog.HELD),
      deadLetters: backlogOf(backlog.DEAD),
      mails: backlogOf(backlog.mails),
      failedMails: backlogOf(backlog.failedMails),
    };
  },

  /** A delivery with its last 100 attempts and the payload of its event. */
  async getDelivery(
    { deliveryId }: OneDelivery,
    context: ReadContext & Failing<"NOT_FOUND_DELIVERY", "/deliveryId">,
  ) {
    const delivery = await visible(context).delivery(deliveryId);
    if (delivery === undefined) throw context.error("NOT_FOUND_DELIVERY", { field: "/deliveryId" });
    return deliveryDetails(context.store, delivery);
  },

  /** The notification of a delivery as it is posted, headers and body, signed now. */
  async getNotification(
    { deliveryId }: OneDelivery,
    context: ReadContext & Failing<"NOT_FOUND_DELIVERY" | "NOT_FOUND_SUBSCRIPTION", "/deliveryId">,
  ) {
    const delivery = await visible(context).delivery(deliveryId);
    if (delivery === undefined) throw context.error("NOT_FOUND_DELIVERY", { field: "/deliveryId" });
    const subscription = await visible(context).subscription(delivery.subscriptionId);
    if (subscription === undefined) throw context.error("NOT_FOUND_SUBSCRIPTION", { field: "/deliveryId" });
    return postedNotification(context, delivery, subscription);
  },

  /** Sends a delivery again, whatever became of it. */
  async redeliverOne(
    { deliveryId }: OneDelivery,
    context: WriteContext & Failing<"NOT_FOUND_DELIVERY" | "CONFLICT", "/deliveryId">,
  ) {
    const delivery = await visible(context).delivery(deliveryId);
    if (delivery === undefined) throw context.error("NOT_FOUND_DELIVERY", { field: "/deliveryId" });
    const subscription = await visible(context).subscription(delivery.subscriptionId);
    if (subscription?.enabled !== true) {
      const reason = subscription === undefined ? "subscription-deleted" : "subscription-disabled";
      throw context.error("CONFLICT", { field: "/deliveryId", reason });
    }
    return sendAgain(context, delivery, subscription);
  },

  /** Sends the deliveries of a subscription again whose events happened in a range of time. */
  async redeliverRange(
    asked: DeliveryRange,
    context: WriteContext & PageErrors & Failing<"NOT_FOUND_SUBSCRIPTION" | "CONFLICT", "/subscriptionId">,
  ) {
    const { store, caller, clock } = context;
    const { subscriptionId, deadLettersOnly, after } = asked;
    const subscription = await visible(context).subscription(subscriptionId);
    if (subscription === undefined)
      throw context.error("NOT_FOUND_SUBSCRIPTION", { field: "/subscriptionId" });
    if (!subscription.enabled)
      throw context.error("CONFLICT", { field: "/subscriptionId", reason: "subscription-disabled" });
    const found = await store.page(
      deliveryListing(
        omitUndefined({
          institutionId: caller.institutionId,
          subscriptionId,
          ...timeRange(asked),
          state: deadLettersOnly ? ("DEAD" as const) : undefined,
          after: placeOf(context, after),
          limit: queuedMax + 1,
        }),
      ),
    );
    const { items, next } = pageOf(found, queuedMax, pageToken);
    const settled = items.filter(({ state }) => ["DELIVERED", "DEAD", "CANCELLED"].includes(state));
    await redeliverAll(store, settled, subscription, clock.now());
    await auditSubscription(context, subscriptionId, {
      redelivered: String(settled.length),
      rangeFrom: asked.from,
      rangeTo: asked.to,
    });
    context.events.wake();
    return { queued: settled.length, ...omitUndefined({ next }) };
  },
});

/** Deliveries that one call looks at, whether they fit or not: a call is never long. */
const lookedAtMax = 2_000;

/** A page of deliveries, the newest first, as far as the caller may see them. The next one goes on where this one stopped. */
async function deliveriesPage(context: Reading & PageErrors, asked: DeliveriesAsked, visible: Visible) {
  const { store, caller } = context;
  const { subscriptionId, eventId, state, pageSize = standardPageSize } = asked;
  const limit = isFoundByIndex(asked) ? pageSize + 1 : lookedAtMax;
  const found = await store.page(
    deliveryListing({
      institutionId: caller.institutionId,
      ...omitUndefined({ subscriptionId, eventId }),
      ...(state === "DEAD" && subscriptionId === undefined ? { state } : {}),
      ...timeRange(asked),
      ...omitUndefined({ after: placeOf(context, asked.after) }),
      limit,
    }),
  );
  const { items, next } = fittingPage(found, asked, pageSize, limit);
  const seen = await visible(context).deliveriesOf(items);
  return { deliveries: seen.map(deliveryOf), ...omitUndefined({ next }) };
}

/** Whether an index leads to what is asked for, and to nothing else. */
function isFoundByIndex({ subscriptionId, topic, state }: DeliveriesAsked): boolean {
  if (topic !== undefined) return false;
  return state === undefined || (state === "DEAD" && subscriptionId === undefined);
}

function fittingPage(
  found: readonly DeliveryRecord[],
  { topic, state }: DeliveriesAsked,
  size: number,
  limit: number,
): { readonly items: readonly DeliveryRecord[]; readonly next: string | undefined } {
  const items: DeliveryRecord[] = [];
  let last: DeliveryRecord | undefined;
  for (const delivery of found) {
    if (items.length === size) return { items, next: last && pageToken(last) };
    last = delivery;
    const isOfTopic = topic === undefined || delivery.topics.includes(topic);
    if (isOfTopic && (state ?? delivery.state) === delivery.state) items.push(delivery);
  }
  return { items, next: found.length === limit && last ? pageToken(last) : undefined };
}

/** A delivery with its last 100 attempts and the payload of its event. */
export async function deliveryDetails(store: Reads, delivery: DeliveryRecord) {
  const event = await store.one(eventById, delivery.eventId);
  if (event === undefined) throw new Error(`delivery ${delivery.id} has no event`);
  const attempts = await lastAttemptsOf(store, delivery.id);
  return {
    delivery: deliveryOf(delivery),
    attemptsMade: attempts.map(deliveryAttemptOf),
    payload: eventFor(event, delivery.topics).payloadJson,
  };
}

/** The notification of a delivery as it would be posted now. */
export async function postedNotification(
  context: NotificationNowOptions,
  delivery: DeliveryRecord,
  subscription: SubscriptionRecord,
) {
  const { id, timestamp, signature, body } = await notificationNow(context, delivery, subscription);
  return { webhookId: id, webhookTimestamp: timestamp, webhookSignature: signature, body };
}

/** Sends a delivery again: with the same identifiers, and with the whole schedule of attempts before it. */
export async function sendAgain(
  context: WriteContext,
  delivery: DeliveryRecord,
  subscription: SubscriptionRecord,
) {
  const queued = await redeliver(context.store, delivery, subscription, context.clock.now());
  await auditSubscription(context, subscription.id, { redelivered: queued.id });
  context.events.wake();
  return { delivery: deliveryOf(queued) };
}

/** A delivery as operators and subscribers see it. */
export function deliveryOf(delivery: DeliveryRecord) {
  const { state, claimedBy, dueAt } = delivery;
  const isScheduled = state === "PENDING" && claimedBy === undefined;
  return {
    deliveryId: delivery.id,
    subscriptionId: delivery.subscriptionId,
    eventId: delivery.eventId,
    eventName: delivery.eventName,
    groupId: delivery.topics,
    sequence: delivery.sequence,
    state,
    attempts: delivery.attempts,
    ...omitUndefined({
      nextAttemptDate: isScheduled ? optionalTimestamp(dueAt) : undefined,
      deliveredDate: optionalTimestamp(delivery.deliveredAt),
      deadDate: optionalTimestamp(delivery.diedAt),
      cancelReason: delivery.cancelReason,
    }),
    createdDate: timestampText(delivery.createdAt),
  };
}

function deliveryAttemptOf(attempt: DeliveryAttemptRecord) {
  const { number, startedAt, durationMs, status, failure, detail, response, responseTruncated } = attempt;
  return {
    number,
    startedDate: timestampText(startedAt),
    durationMs,
    ...omitUndefined({ status, failure, detail, response }),
    responseTruncated,
  };
}
