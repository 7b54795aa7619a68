import { omitUndefined } from "../../contract/index.ts";
import type {
  CancelReason,
  DeliveryRecord,
  StoreTransaction,
  SubscriptionTarget,
} from "../../ports/index.ts";
import type { DeliveryJob } from "../model/delivery-job.ts";
import { cancelled, isCancelled } from "../operations/cancel.ts";
import { isTestEvent } from "../model/test-event.ts";
import type { GrantClaims } from "./subscription-queues.ts";

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
}

/**
 * Claims due deliveries of one subscription. Deliveries of a subscription that is not enabled are held, those of a
 * deleted one cancelled.
 */
export async function claimDue(tx: StoreTransaction, options: ClaimOptions): Promise<ClaimedJobs> {
  const { subscriptionId, limit, nowMs } = options;
  const due = await tx.deliveries.due(subscriptionId, nowMs, limit);
  const [first] = due;
  if (first === undefined) return { jobs: [], more: false, failing: false };
  // At once: the statements travel together.
  const [[subscription], health, cancellation] = await Promise.all([
    tx.subscriptionTargets.find(first.institutionId, [subscriptionId]),
    tx.endpointHealth.find(subscriptionId),
    tx.cancellations.find(subscriptionId),
  ]);
  const failing = health?.failingSince !== undefined;
  const userName = subscription?.userName;
  const known = { failing, ...omitUndefined({ userName }) };
  if (subscription?.enabled && (health?.pausedUntil ?? 0) > nowMs) {
    return { jobs: [], more: true, ...known, pausedUntil: health?.pausedUntil ?? 0 };
  }
  const { grant } = options;
  const granted = userName === undefined || grant === undefined ? due.length : grant(userName, due.length);
  const claimed = await Promise.all(
    due
      .slice(0, granted)
      .map((delivery) =>
        isCancelled(delivery, cancellation)
          ? cancelOne(tx, delivery.id, cancellation?.reason)
          : claimOne(tx, delivery, subscription, options),
      ),
  );
  const jobs = claimed.filter((job) => job !== undefined);
  return { jobs, more: due.length === limit || granted < due.length, ...known };
}

async function cancelOne(
  tx: StoreTransaction,
  id: string,
  cancelReason: CancelReason | undefined,
): Promise<undefined> {
  await tx.deliveries.change(id, { ...cancelled, cancelReason });
}

async function claimOne(
  tx: StoreTransaction,
  delivery: DeliveryRecord,
  subscription: SubscriptionTarget | undefined,
  { nowMs, claimedBy, untilMs }: ClaimOptions,
): Promise<DeliveryJob | undefined> {
  const { id } = delivery;
  if (subscription === undefined) return cancelOne(tx, id, "DELETED");
  if (!subscription.enabled && !isTestEvent(delivery)) {
    await tx.deliveries.change(id, { state: "HELD", claimedBy: undefined, dueAt: nowMs });
    return undefined;
  }
  const event = await tx.events.find(delivery.eventId);
  if (event === undefined) throw new Error(`delivery ${id} has no event`);
  const claim = { claimedBy, dueAt: untilMs };
  await tx.deliveries.change(id, claim);
  return { delivery: { ...delivery, ...claim }, event, subscription };
}
