import type { AttemptResult } from "./attempt-outcome.ts";
import type { DeliveryJob } from "./delivery-job.ts";

/** Claimed jobs, queued by subscription for the send loops. */
export interface JobQueues {
  enqueue(jobs: readonly DeliveryJob[]): void;
}

/** Subscriptions that may have due deliveries, for the claim loop. */
export interface DueQueue {
  markDue(subscriptionIds: Iterable<string>): void;
  /** The clock was set back: the store knows which pauses are left. */
  forgetPauses(): void;
}

/** Attempt results, for the record loop. */
export interface ResultQueue {
  add(result: AttemptResult): void;
}
