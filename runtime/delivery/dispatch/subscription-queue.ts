import type { AttemptOutcome } from "../model/attempt-outcome.ts";
import type { DeliveryJob } from "../model/delivery-job.ts";
import { createSignal, type Signal } from "../model/signal.ts";

/** Claimed jobs of one subscription, and what this process knows of its endpoint. The store holds the rest. */
export interface SubscriptionQueue {
  readonly subscriptionId: string;
  /** Claimed, and not being sent yet. */
  readonly jobs: DeliveryJob[];
  /** Wakes the send loop: a job, a permit or a place in the window may be there. */
  readonly changed: Signal;
  /** Whether a send loop runs. */
  isActive: boolean;
  /** How many jobs at the head of the queue are signed, or being signed. */
  signedAhead: number;
  inFlight: number;
  /** Mean of `inFlight` over the last attempts: less than the window where queues share few permits. */
  averageInFlight: number;
  /** Attempts that may be in flight at once. */
  window: number;
  /** Whether the last attempt succeeded: then more jobs are signed ahead. */
  healthy: boolean;
  /** Whether the last attempt got no response. */
  unresponsive: boolean;
  /** Whether the store may hold more due deliveries. */
  due: boolean;
  /** Mean duration of an attempt, weighted towards the last ones. */
  averageMs: number;
  pausedUntilMs: number;
  usedAtMs: number;
  /** Whether no other process delivers. */
  readonly isOnlyProcess: boolean;
}

/** How far ahead of sending jobs are claimed: a claim must not end before its job is sent. */
const claimedAheadMs = 5_000;
/** The same where other processes deliver, too: what one has claimed no other one sends, even with nothing to do. */
const sharedAheadMs = 1_000;
const claimedMax = 4_096;
/** Jobs of one queue that are signed ahead: signatures take memory, and may have to be made again. */
const signedAheadMax = 256;
const averagedOver = 8;
const initialWindow = { window: 1, averageInFlight: 1, averageMs: 1_000, healthy: false };

export function createSubscriptionQueue(
  subscriptionId: string,
  nowMs: number,
  isOnlyProcess = true,
): SubscriptionQueue {
  return {
    subscriptionId,
    jobs: [],
    changed: createSignal(),
    isActive: false,
    signedAhead: 0,
    inFlight: 0,
    ...initialWindow,
    isOnlyProcess,
    unresponsive: false,
    due: false,
    pausedUntilMs: 0,
    usedAtMs: nowMs,
  };
}

/** How many more jobs may be claimed. */
export function freeCapacity(queue: SubscriptionQueue): number {
  return Math.max(0, claimedTarget(queue) - claimedCount(queue));
}

const nothing: readonly DeliveryJob[] = [];

/** Jobs to sign now, so that their signatures are ready when they are sent. */
export function takeUnsigned(queue: SubscriptionQueue): readonly DeliveryJob[] {
  const ahead = queue.healthy ? signedAheadMax : 1;
  if (queue.signedAhead > ahead / 2) return nothing;
  const unsigned = queue.jobs.slice(queue.signedAhead, ahead);
  queue.signedAhead += unsigned.length;
  return unsigned;
}

/** Removes and returns the next job. */
export function takeNext(queue: SubscriptionQueue): DeliveryJob | undefined {
  queue.signedAhead = Math.max(0, queue.signedAhead - 1);
  return queue.jobs.shift();
}

/** Whether the queue needs refilling: not for every job that leaves. */
export function isBelowLowWater(queue: SubscriptionQueue): boolean {
  return claimedCount(queue) <= claimedTarget(queue) / 2;
}

function claimedTarget(queue: SubscriptionQueue): number {
  const { healthy, window, averageMs, isOnlyProcess } = queue;
  if (!healthy) return window;
  const attemptMs = Math.max(averageMs, 1);
  const ahead = isOnlyProcess
    ? window * Math.floor(claimedAheadMs / attemptMs)
    : Math.ceil((queue.averageInFlight * sharedAheadMs) / attemptMs);
  return Math.min(Math.max(window, ahead), claimedMax);
}

function claimedCount({ jobs, inFlight }: SubscriptionQueue): number {
  return jobs.length + inFlight;
}

/**
 * Slow start, multiplicative decrease: the window begins at one, doubles with every success, is halved by a failure
 * and falls to one where no response arrives.
 */
export function adjustWindow(queue: SubscriptionQueue, outcome: AttemptOutcome, windowMax: number): void {
  queue.averageInFlight += (Math.max(queue.inFlight, 1) - queue.averageInFlight) / averagedOver;
  queue.averageMs += (outcome.durationMs - queue.averageMs) / averagedOver;
  queue.healthy = outcome.failure === undefined;
  queue.unresponsive = !queue.healthy && outcome.status === undefined;
  if (queue.healthy) queue.window = Math.min(queue.window * 2, windowMax);
  else queue.window = queue.unresponsive ? 1 : Math.max(1, Math.floor(queue.window / 2));
}
