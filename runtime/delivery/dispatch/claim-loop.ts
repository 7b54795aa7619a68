import type { Clock, Store, StoreTransaction } from "../../ports/index.ts";
import { claimDue, type ClaimedJobs } from "./claim-due.ts";
import type { DuePoller } from "./due-poller.ts";
import type { Lease } from "./lease.ts";
import type { SubscriptionQueue } from "./subscription-queue.ts";
import type { SubscriptionQueues } from "./subscription-queues.ts";

/** The second loop of delivery: refills queues below their low-water mark with due deliveries from the store. */
export interface ClaimLoop {
  /** Finishes the claim under way. */
  close(): Promise<void>;
}

export interface ClaimLoopOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly lease: Lease;
  readonly queues: SubscriptionQueues;
  readonly duePoller: Pick<DuePoller, "wakeBy">;
  onFailure(error: unknown): void;
}

/** Jobs claimed in one transaction, at most: other writers wait for it. */
const claimedAtOnce = 512;
/** Queues that need refilling within this time share a transaction. */
const gatheredMs = 5;

export function startClaimLoop(options: ClaimLoopOptions): ClaimLoop {
  const { store, clock, lease, queues, duePoller } = options;
  let isClosed = false;
  const running = run();

  async function run(): Promise<void> {
    for (;;) {
      // Checked before the wait: a refill under way may have taken the wake of `close`.
      if (isClosed) return;
      await queues.refill.wait();
      if (isClosed) return;
      await refillAll().catch(options.onFailure);
    }
  }
  async function refillAll(): Promise<void> {
    for (;;) {
      queues.refill.reset();
      await new Promise((resolve) => setTimeout(resolve, gatheredMs));
      const refills = queues.takeBelowLowWater(Math.min(claimedAtOnce, queues.freeTotal()));
      if (refills.length === 0 || isClosed) return;
      const nowMs = clock.now();
      const claim = { nowMs, claimedBy: lease.claimedBy, untilMs: nowMs + lease.claimMs };
      const work = async (tx: StoreTransaction): Promise<readonly ClaimedJobs[]> => {
        const all: ClaimedJobs[] = [];
        for (const { queue, limit } of refills) {
          all.push(await claimDue(tx, { subscriptionId: queue.subscriptionId, limit, ...claim }));
        }
        return all;
      };
      const claimed = await store.transact(work, { isRepeatable: true, isClaim: true });
      for (const [index, { queue }] of refills.entries()) take(queue, claimed[index]);
    }
  }
  function take(queue: SubscriptionQueue, claimed: ClaimedJobs | undefined): void {
    if (claimed === undefined) return;
    queue.due ||= claimed.more;
    queue.unresponsive ||= claimed.failing && !queue.healthy && queue.window === 1;
    if (claimed.pausedUntil !== undefined) {
      queue.pausedUntilMs = claimed.pausedUntil;
      duePoller.wakeBy(claimed.pausedUntil);
    }
    queues.enqueue(claimed.jobs);
  }

  return {
    async close() {
      isClosed = true;
      queues.refill.wake();
      await running;
    },
  };
}
