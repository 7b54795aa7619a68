import { omitUndefined } from "../../contract/index.ts";
import type { Changes, DeliveryRecord, Writes } from "../../store/ports/index.ts";
import type { DeliveryJob } from "../model/queues.ts";
import { cancelled, isCancelled } from "../operations/cancel.ts";
import { isTestEvent } from "../model/test-event.ts";
import type { GrantClaims } from "./subscription-queues.ts";
import {
  dueDeliveries,
  targetsById,
  healthOfSubscription,
  cancellationOf,
  deliveriesById,
} from "../../store/tables/index.ts";
import { eventsOf } from "../model/stored-deliveries.ts";

/** Due deliveries of one subscription that were claimed. */
export interface ClaimedJobs {
  readonly jobs: readonly DeliveryJob[];
  /** Whether more may be due. */
  readonly more: boolean;
  /** Nothing is sent before: the endpoint asked for a pause. */
  readonly pausedUntil?: number;
  /** Whether the endpoint has been failing. */
  readonly failing: boolean;
  /** Whose subscription it is. Absent where it is deleted, or nothing is due. */
  readonly userName?: string;
}

export interface ClaimOptions {
  readonly subscriptionId: string;
  readonly limit: number;
  /** Says how many of the due deliveries may be claimed for their user; absent: all. */
  readonly grant?: GrantClaims;
  readonly nowMs: number;
  /** The process that claims. */
  readonly claimedBy: string;
  /** When the claim ends. */
  readonly untilMs: number;
  /** Whether this process has the delivery in hand, although its claim has ended. */
  isInHand(deliveryId: string): boolean;
}

/**
 * Claims due deliveries of one subscription, in the same number of statements however many there are. Deliveries of a
 * subscription that is not enabled are held, those of a deleted one cancelled. Deliveries that this process has in hand
 * are not claimed again, since a starved machine would send them twice. Their claims are prolonged.
 */
export async function claimDue(tx: Writes, options: ClaimOptions): Promise<ClaimedJobs> {
  const { subscriptionId, limit, nowMs } = options;
  const found = await tx.many(dueDeliveries, "PENDING", subscriptionId, nowMs, limit);
  const [inHand, due] = partitioned(
    found,
    ({ id, claimedBy }) => claimedBy === options.claimedBy && options.isInHand(id),
  );
  await changeAll(tx, inHand, { dueAt: options.untilMs });
  const [first] = due;
  const isFull = found.length === limit;
  if (first === undefined) return { jobs: [], more: isFull, failing: false };
  // At once: the statements travel together.
  const [[subscription], health, cancellation] = await Promise.all([
    tx.many(targetsById, first.institutionId, [subscriptionId]),
    tx.one(healthOfSubscription, subscriptionId),
    tx.one(cancellationOf, subscriptionId),
  ]);
  const failing = health?.failingSince !== undefined;
  const userName = subscription?.userName;
  const known = { failing, ...omitUndefined({ userName }) };
  if (subscription?.enabled && (health?.pausedUntil ?? 0) > nowMs) {
    return { jobs: [], more: true, ...known, pausedUntil: health?.pausedUntil ?? 0 };
  }
  const { grant } = options;
  const granted = userName === undefined || grant === undefined ? due.length : grant(userName, due.length);
  const [dropped, open] = partitioned(due.slice(0, granted), (delivery) =>
    isCancelled(delivery, cancellation),
  );
  const [sent, held] = partitioned(
    open,
    (delivery) => subscription !== undefined && (subscription.enabled || isTestEvent(delivery)),
  );
  const untilSent = { claimedBy: options.claimedBy, dueAt: options.untilMs };
  const [eventOf] = await Promise.all([
    eventsOf(
      tx,
      sent.map(({ eventId }) => eventId),
    ),
    changeAll(tx, dropped, { ...cancelled, cancelReason: cancellation?.reason }),
    changeAll(
      tx,
      held,
      subscription === undefined
        ? { ...cancelled, cancelReason: "DELETED" }
        : { state: "HELD", claimedBy: undefined, dueAt: nowMs },
    ),
    changeAll(tx, sent, untilSent),
  ]);
  const jobs = sent.flatMap((delivery): readonly DeliveryJob[] => {
    const event = eventOf(delivery.eventId);
    return subscription === undefined
      ? []
      : [{ delivery: { ...delivery, ...untilSent }, event, subscription }];
  });
  return { jobs, more: isFull || granted < due.length, ...known };
}

/** All in one statement, however many there are. */
async function changeAll(
  tx: Writes,
  deliveries: readonly DeliveryRecord[],
  changes: Changes<DeliveryRecord>,
): Promise<void> {
  if (deliveries.length === 0) return;
  await tx.update(
    deliveriesById,
    changes,
    deliveries.map(({ id }) => id),
  );
}

function partitioned<T>(
  all: readonly T[],
  isFirst: (item: T) => boolean,
): readonly [first: readonly T[], second: readonly T[]] {
  return [all.filter(isFirst), all.filter((item) => !isFirst(item))];
}
