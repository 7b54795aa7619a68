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
  /** The subscriptions whose endpoints asked for a pause that is not over. */
  paused(): readonly string[];
  /** The store knows the pause of an endpoint better: 0 for none. */
  pauseUntil(subscriptionId: string, timeMs: number): void;
}

/** Attempt results, for the record loop. */
export interface ResultQueue {
  add(result: AttemptResult): void;
}
