import type { Delivery, DeliveryAttempt } from "../../../generated/operator/types.ts";
import { type Given, omitUndefined } from "../../../runtime/contract/index.ts";
import { timestampText } from "../../../runtime/contract/timestamps.ts";
import type { DeliveryAttemptRecord, DeliveryRecord } from "../../../runtime/store/ports/index.ts";
import { optionalTimestamp } from "./optional-timestamp.ts";

/** A delivery as the operator sees it. */
export function deliveryOf(delivery: DeliveryRecord): Delivery {
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
    } satisfies Given<Delivery>),
    createdDate: timestampText(delivery.createdAt),
  };
}

export function deliveryAttemptOf(attempt: DeliveryAttemptRecord): DeliveryAttempt {
  const { number, startedAt, durationMs, status, failure, detail, response, responseTruncated } = attempt;
  return {
    number,
    startedDate: timestampText(startedAt),
    durationMs,
    ...omitUndefined({ status, failure, detail, response } satisfies Given<DeliveryAttempt>),
    responseTruncated,
  };
}
