import type { Clock, Writes } from "../../store/ports/index.ts";
import type { DeliveryJob } from "../model/queues.ts";
import type { Poller } from "../model/poller.ts";
import type { ClaimTransactions } from "../model/claim-transactions.ts";
import { claimDue, type ClaimedJobs, type ClaimOptions } from "./claim-due.ts";
import type { Lease } from "./lease.ts";
import { endpointAt, type SubscriptionQueue } from "./subscription-queue.ts";
import type { Refill, SubscriptionQueues } from "./subscription-queues.ts";

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
