import type { Clock, DeliveryRecord } from "../../store/ports/index.ts";
import type { AttemptOutcome, AttemptResult } from "../model/attempt-outcome.ts";
import type { DeliveryJob, ResultQueue } from "../model/queues.ts";
import type { Signal } from "../model/loops.ts";
import { isTestEvent } from "../model/stored-deliveries.ts";
import type { Backpressure } from "./backpressure.ts";
import type { InFlightLimiter, Permit } from "./in-flight-limiter.ts";
import type { JobChecks } from "./job-checks.ts";
import type { Lease } from "../model/claim-transactions.ts";
import type { NotificationSender } from "./send-notification.ts";
import {
  adjustWindow,
  isBelowLowWater,
  pauseAsAsked,
  pauseAsStored,
  takeNext,
  takeUnsigned,
  type Endpoint,
  type SubscriptionQueue,
} from "./subscription-queue.ts";

/** One loop for each subscription with jobs: sends them in their order, as many at once as its window allows. */
export interface SendLoops {
  /** Starts the loop of a queue; it ends when the queue is empty and nothing is in flight. */
  start(queue: SubscriptionQueue): void;
  /** Gives back what is queued for subscriptions that have changed, some in turn: it may wait long behind a slow endpoint. */
  checkQueued(): void;
  /** Releases jobs that are not being sent, and ends what is in flight after `graceMs`. */
  close(graceMs: number): Promise<void>;
}

export interface SendLoopOptions {
  readonly clock: Clock;
  readonly lease: Lease;
  readonly checks: JobChecks;
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

/** Queues whose next job is checked at once, in turn. */
const checkedAtOnce = 256;
/** After the store did not say whether a job is still to be sent. */
const uncheckedAgainMs = 1_000;

/** One send loop for each subscription with jobs. */
// oxlint-disable-next-line max-lines-per-function -- the loop, its sending and its closing share which loops run
export function createSendLoops(options: SendLoopOptions): SendLoops {
  const { clock, lease, checks, sender, limiter, results } = options;
  const running = new Map<SubscriptionQueue, Promise<void>>();
  let isClosing = false;

  async function run(queue: SubscriptionQueue): Promise<void> {
    while (queue.jobs.length > 0 || queue.attempts > 0) {
      sendAll(queue);
      for (const job of takeUnsigned(queue)) sender.prepare(job);
      if (queue.jobs.length > 0 || queue.attempts > 0) await queue.changed.wait();
    }
    queue.isActive = false;
    running.delete(queue);
  }
  /** Sends until the queue is empty, its window is full or no permit is free. */
  function sendAll(queue: SubscriptionQueue): void {
    for (let [job] = queue.jobs; job !== undefined; [job] = queue.jobs) {
      const nowMs = clock.now();
      if (isClosing || isLate(job, nowMs) || queue.endpoint.pausedUntilMs > nowMs) {
        releaseNext(queue, nowMs);
        continue;
      }
      if (queue.endpoint.inFlight >= queue.endpoint.window) return;
      const permit = limiter.tryAcquire({
        origin: sender.originOf(job),
        userName: job.subscription.userName,
        isUnresponsive: queue.endpoint.unresponsive,
        waiting: queue.changed,
      });
      if (permit === undefined) return;
      takeNext(queue);
      options.backpressure.started(job.subscription.userName);
      void attempt(queue, job, permit);
    }
  }
  /** Whether the rest of the claim is too short for an attempt. */
  function isLate({ delivery }: DeliveryJob, nowMs: number): boolean {
    return (delivery.dueAt ?? 0) - nowMs < lease.remainingMsMin;
  }
  /** Gives the next job back to the store. Does nothing if there is no job. */
  function releaseNext(queue: SubscriptionQueue, dueAt: number): void {
    const job = takeNext(queue);
    if (job === undefined) return;
    options.backpressure.released(job.subscription.userName);
    queue.due = true;
    results.add({ kind: "released", delivery: job.delivery, dueAt });
  }
  function releaseAll(queue: SubscriptionQueue, dueAt: number): void {
    while (queue.jobs.length > 0) releaseNext(queue, dueAt);
    queue.changed.wake();
  }
  async function attempt(queue: SubscriptionQueue, job: DeliveryJob, permit: Permit): Promise<void> {
    const { endpoint } = queue;
    queue.attempts += 1;
    endpoint.inFlight += 1;
    queue.usedAtMs = clock.now();
    const result = await checkAndSend(queue, endpoint, job).catch((error: unknown) =>
      unsent(job, error, options),
    );
    queue.attempts -= 1;
    endpoint.inFlight -= 1;
    queue.changed.wake();
    limiter.release(permit);
    results.add(result);
    if (queue.due && isBelowLowWater(queue)) options.refill.wake();
  }
  /** Sends the job if the store still has its subscription as it was claimed; otherwise gives back what is queued. */
  async function checkAndSend(
    queue: SubscriptionQueue,
    endpoint: Endpoint,
    job: DeliveryJob,
  ): Promise<AttemptResult> {
    const check = await checks.check(job);
    const nowMs = clock.now();
    if (check.kind === "current" && !isClosing && !isLate(job, nowMs)) {
      return resultOf(endpoint, job, await sender.send(job), options);
    }
    const dueAt = check.kind === "unknown" ? nowMs + uncheckedAgainMs : nowMs;
    if (check.kind === "paused" && endpoint.isPauseStored) pauseAsStored(endpoint, check.untilMs);
    else if (check.kind !== "current") releaseAll(queue, dueAt);
    queue.due = true;
    return { kind: "released", delivery: job.delivery, dueAt };
  }
  async function checkNext(queue: SubscriptionQueue): Promise<void> {
    const [job] = queue.jobs;
    if (job !== undefined && (await checks.check(job)).kind === "changed") releaseAll(queue, clock.now());
  }

  return {
    start(queue) {
      queue.isActive = true;
      running.set(queue, run(queue));
    },
    checkQueued() {
      const waiting = running.entries().filter(([queue]) => queue.jobs.length > 0);
      const checked = waiting.take(checkedAtOnce).toArray();
      for (const [queue, ended] of checked) {
        running.delete(queue);
        running.set(queue, ended);
        void checkNext(queue);
      }
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

/** The result of an attempt. Adjusts the window of the endpoint, and pauses it where it asked for that. */
function resultOf(
  endpoint: Endpoint,
  { delivery, subscription }: DeliveryJob,
  outcome: AttemptOutcome,
  { clock, originConcurrency, attempted }: SendLoopOptions,
): AttemptResult {
  if (outcome.failure === "shutdown") return { kind: "released", delivery, dueAt: clock.now() };
  adjustWindow(endpoint, outcome, originConcurrency);
  if (outcome.retryAfterMs !== undefined && !isTestEvent(delivery))
    pauseAsAsked(endpoint, clock.now() + outcome.retryAfterMs);
  attempted(delivery, outcome);
  return { kind: "attempted", delivery, callbackUrl: subscription.callbackUrl, outcome };
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
