import type { Clock, DeliveryRecord } from "../../ports/index.ts";
import type { AttemptOutcome, AttemptResult } from "../model/attempt-outcome.ts";
import type { DeliveryJob } from "../model/delivery-job.ts";
import type { ResultQueue } from "../model/queues.ts";
import type { Signal } from "../model/signal.ts";
import type { Backpressure } from "./backpressure.ts";
import type { InFlightLimiter, Permit } from "./in-flight-limiter.ts";
import type { Lease } from "./lease.ts";
import type { NotificationSender } from "./send-notification.ts";
import {
  adjustWindow,
  isBelowLowWater,
  takeNext,
  takeUnsigned,
  type SubscriptionQueue,
} from "./subscription-queue.ts";

/** One loop for each subscription with jobs: sends them in their order, as many at once as its window allows. */
export interface SendLoops {
  /** Starts the loop of a queue; it ends when the queue is empty and nothing is in flight. */
  start(queue: SubscriptionQueue): void;
  /** Removes the jobs of a queue whose deliveries were cancelled. What is in flight ends by itself. */
  drop(queue: SubscriptionQueue): void;
  /** Releases jobs that are not being sent, and ends what is in flight after `graceMs`. */
  close(graceMs: number): Promise<void>;
}

export interface SendLoopOptions {
  readonly clock: Clock;
  readonly lease: Lease;
  readonly sender: NotificationSender;
  readonly limiter: InFlightLimiter;
  readonly backpressure: Backpressure;
  readonly results: ResultQueue;
  /** Wakes the claim loop. */
  readonly refill: Signal;
  /** Limit of a window. */
  readonly originConcurrency: number;
  attempted(delivery: DeliveryRecord, outcome: AttemptOutcome): void;
  onFailure(error: unknown): void;
}

/** One send loop for each subscription with jobs. */
// oxlint-disable-next-line max-lines-per-function -- the loop, its sending and its closing share which loops run
export function createSendLoops(options: SendLoopOptions): SendLoops {
  const { clock, lease, sender, limiter, results } = options;
  const running = new Map<SubscriptionQueue, Promise<void>>();
  let isClosing = false;

  async function run(queue: SubscriptionQueue): Promise<void> {
    while (queue.jobs.length > 0 || queue.inFlight > 0) {
      sendAll(queue);
      for (const job of takeUnsigned(queue)) sender.prepare(job);
      if (queue.jobs.length > 0 || queue.inFlight > 0) await queue.changed.wait();
    }
    queue.isActive = false;
    running.delete(queue);
  }
  /** Sends until the queue is empty, its window is full or no permit is free. */
  function sendAll(queue: SubscriptionQueue): void {
    for (let [job] = queue.jobs; job !== undefined; [job] = queue.jobs) {
      const nowMs = clock.now();
      if (isClosing || mustRelease(queue, job, lease, nowMs)) {
        release(queue, job, nowMs);
        continue;
      }
      if (queue.inFlight >= queue.window) return;
      const permit = limiter.tryAcquire({
        origin: sender.originOf(job),
        isUnresponsive: queue.unresponsive,
        waiting: queue.changed,
      });
      if (permit === undefined) return;
      takeNext(queue);
      options.backpressure.started();
      void attempt(queue, job, permit);
    }
  }
  function release(queue: SubscriptionQueue, { delivery }: DeliveryJob, nowMs: number): void {
    takeNext(queue);
    options.backpressure.started();
    queue.due = true;
    results.add({ kind: "released", delivery, dueAt: Math.max(nowMs, queue.pausedUntilMs) });
  }
  async function attempt(queue: SubscriptionQueue, job: DeliveryJob, permit: Permit): Promise<void> {
    queue.inFlight += 1;
    queue.usedAtMs = clock.now();
    const result = await sender.send(job).then(
      (outcome) => resultOf(queue, job, outcome, options),
      (error: unknown) => unsent(job, error, options),
    );
    queue.inFlight -= 1;
    queue.changed.wake();
    limiter.release(permit);
    results.add(result);
    if (queue.due && isBelowLowWater(queue)) options.refill.wake();
  }

  return {
    start(queue) {
      queue.isActive = true;
      running.set(queue, run(queue));
    },
    drop(queue) {
      const nowMs = clock.now();
      for (let job = takeNext(queue); job !== undefined; job = takeNext(queue)) {
        options.backpressure.started();
        // The store ignores a result whose claim is gone: this only counts the job as recorded.
        results.add({ kind: "released", delivery: job.delivery, dueAt: nowMs });
      }
      queue.changed.wake();
    },
    async close(graceMs) {
      isClosing = true;
      limiter.close();
      for (const queue of running.keys()) queue.changed.wake();
      const timeout = setTimeout(() => sender.cancelAll(), graceMs);
      await Promise.all(running.values());
      clearTimeout(timeout);
    },
  };
}

/** Whether a job goes back to the store: its lease is too short for an attempt, or its endpoint asked for a pause. */
function mustRelease(
  queue: SubscriptionQueue,
  { delivery }: DeliveryJob,
  lease: Lease,
  nowMs: number,
): boolean {
  const isLate = (delivery.dueAt ?? 0) - nowMs < lease.remainingMsMin;
  return isLate || queue.pausedUntilMs > nowMs;
}

/** The result of an attempt. Adjusts the window of the endpoint, and pauses it where it asked for that. */
function resultOf(
  queue: SubscriptionQueue,
  { delivery }: DeliveryJob,
  outcome: AttemptOutcome,
  { clock, originConcurrency, attempted }: SendLoopOptions,
): AttemptResult {
  if (outcome.failure === "shutdown") return { kind: "released", delivery, dueAt: clock.now() };
  adjustWindow(queue, outcome, originConcurrency);
  if (outcome.retryAfterMs !== undefined) queue.pausedUntilMs = clock.now() + outcome.retryAfterMs;
  attempted(delivery, outcome);
  return { kind: "attempted", delivery, outcome };
}

/** Not an attempt: the notification could not be signed, for example because its secret cannot be opened. */
function unsent(
  { delivery }: DeliveryJob,
  error: unknown,
  { clock, lease, onFailure }: SendLoopOptions,
): AttemptResult {
  onFailure(error);
  return { kind: "released", delivery, dueAt: clock.now() + lease.claimMs };
}
