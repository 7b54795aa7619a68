import type { JobResult } from "./attempt-outcome.ts";
import type { DeliveryRecord, EventRecord, SubscriptionTarget } from "../../store/ports/index.ts";

/** A delivery with what sending it needs. */
export interface DeliveryJob {
  readonly delivery: DeliveryRecord;
  readonly event: EventRecord;
  readonly subscription: SubscriptionTarget;
}

/** Claimed jobs, queued by subscription for the send loops. */
export interface JobQueues {
  enqueue(jobs: readonly DeliveryJob[]): void;
}

/** Subscriptions that may have due deliveries, for the claim loop. */
export interface DueQueue {
  markDue(subscriptionIds: Iterable<string>): void;
  /** The subscriptions whose endpoints have a pause in the store that is not over as far as this process knows. */
  paused(): readonly string[];
  /** The pause that the store has now; 0 for none. */
  pauseUntil(subscriptionId: string, untilMs: number): void;
}

/** Results of jobs, for the record loop. */
export interface ResultQueue {
  add(result: JobResult): void;
}
