import type { Clock, Writes, Changes, DeliveryRecord } from "../../store/ports/index.ts";
import type { DeliveryJob } from "../model/queues.ts";
import type { Poller } from "../model/loops.ts";
import type { ClaimTransactions, Lease } from "../model/claim-transactions.ts";
import { endpointAt, type SubscriptionQueue } from "./subscription-queue.ts";
import type { Refill, SubscriptionQueues, GrantClaims } from "./subscription-queues.ts";
import { omitUndefined } from "../../contract/index.ts";
import { cancelled, isCancelled } from "../operations/cancel.ts";
import { isTestEvent, eventsOf } from "../model/stored-deliveries.ts";
import {
  dueDeliveries,
  targetsById,
  healthOfSubscription,
  cancellationOf,
  deliveriesById,
} from "../../store/tables/index.ts";

/** The second loop of delivery: refills queues below their low-water mark with due deliveries from the store. */
export interface ClaimLoop {
  /** Finishes the claim under way. */
  close(): Promise<void>;
}

export interface ClaimLoopOptions {
  readonly transactions: ClaimTransactions<DeliveryJob>;
  readonly clock: Clock;
  readonly lease: Lease;
  readonly queues: SubscriptionQueues;
  readonly duePoller: Pick<Poller, "wakeBy">;
  onFailure(error: unknown): void;
}

/** Jobs claimed in one transaction, at most: other writers wait for it. */
const claimedAtOnce = 512;
/** Queues that need refilling within this time share a transaction. */
const gatheredMs = 5;
/** After a claim that the store rejected. */
const againMs = 1_000;

export function startClaimLoop(options: ClaimLoopOptions): ClaimLoop {
  const { transactions, clock, lease, queues, duePoller } = options;
  let isClosed = false;
  let cancelAgain: (() => void) | undefined;
  const running = run();

  async function run(): Promise<void> {
    for (;;) {
      // Checked before the wait: a refill under way may have taken the wake of `close`.
      if (isClosed) return;
      await queues.refill.wait();
      if (isClosed) return;
      await refillAll().catch(options.onFailure);
      if (!transactions.isUnknown()) continue;
      cancelAgain?.();
      cancelAgain = clock.schedule(againMs, queues.refill.wake);
    }
  }
  async function refillAll(): Promise<void> {
    for (;;) {
      queues.refill.reset();
      await new Promise((resolve) => setTimeout(resolve, gatheredMs));
      queues.enqueue(await transactions.recovered(clock.now()));
      const refills = queues.takeBelowLowWater(claimedAtOnce);
      if (refills.length === 0 || isClosed) return;
      const nowMs = clock.now();
      const { claimedBy, claimMs } = lease;
      const claim = { nowMs, claimedBy, untilMs: nowMs + claimMs, isInHand: queues.isInHand };
      const claimed = await transactions.transact(
        (tx) => claimAll(tx, refills, claim),
        (all) => all.flatMap(({ jobs }) => jobs),
        { isRepeatable: true, isClaim: true },
      );
      for (const [index, { queue }] of refills.entries()) take(queue, claimed[index]);
    }
  }
  function take(queue: SubscriptionQueue, claimed: ClaimedJobs | undefined): void {
    if (claimed === undefined) return;
    queue.due ||= claimed.more;
    if (claimed.userName !== undefined) queue.userName ??= claimed.userName;
    for (const { subscription } of claimed.jobs.slice(0, 1)) endpointAt(queue, subscription.callbackUrl);
    const { endpoint } = queue;
    endpoint.unresponsive ||= claimed.failing && !endpoint.healthy && endpoint.window === 1;
    if (claimed.pausedUntil !== undefined) {
      queues.pauseUntil(queue.subscriptionId, claimed.pausedUntil);
      duePoller.wakeBy(claimed.pausedUntil);
    }
    queues.enqueue(claimed.jobs);
  }

  return {
    async close() {
      isClosed = true;
      cancelAgain?.();
      queues.refill.wake();
      await running;
    },
  };
}

async function claimAll(
  tx: Writes,
  refills: readonly Refill[],
  claim: Pick<ClaimOptions, "nowMs" | "claimedBy" | "untilMs" | "isInHand">,
): Promise<readonly ClaimedJobs[]> {
  const all: ClaimedJobs[] = [];
  for (const { queue, ...bounds } of refills) {
    all.push(await claimDue(tx, { subscriptionId: queue.subscriptionId, ...bounds, ...claim }));
  }
  return all;
}

/** Due deliveries of one subscription that were claimed. */
interface ClaimedJobs {
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

interface ClaimOptions {
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
