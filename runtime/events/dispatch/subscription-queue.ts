import type { AttemptOutcome } from "../model/attempt-outcome.ts";
import type { DeliveryJob } from "../model/queues.ts";
import { createSignal, type Signal } from "../model/loops.ts";

/** What this process knows of one address of a subscription. Another address begins with another endpoint. */
export interface Endpoint {
  /** Absent before the first job. */
  callbackUrl?: string;
  /** Attempts in flight. */
  inFlight: number;
  /** Mean of `inFlight` over the last attempts: less than the window where queues share few permits. */
  averageInFlight: number;
  /** Attempts that may be in flight at once. */
  window: number;
  /** Whether the last attempt succeeded: then more jobs are signed ahead. */
  healthy: boolean;
  /** Whether the last attempt got no response. */
  unresponsive: boolean;
  /** Mean duration of an attempt, weighted towards the last ones. */
  averageMs: number;
  /** Nothing is sent before: the endpoint asked for a pause. */
  pausedUntilMs: number;
  /** Whether the store has the pause, and so knows better when it ends. */
  isPauseStored: boolean;
}

/** Claimed jobs of one subscription, and what this process knows of its endpoint. The store holds the rest. */
export interface SubscriptionQueue {
  readonly subscriptionId: string;
  /** The user of the jobs that came last. Absent before the first. */
  userName?: string;
  /** Claimed, and not being sent yet. */
  readonly jobs: DeliveryJob[];
  /** Wakes the send loop: a job, a permit or a place in the window may be there. */
  readonly changed: Signal;
  /** Whether a send loop runs. */
  isActive: boolean;
  /** How many jobs at the head of the queue are signed, or being signed. */
  signedAhead: number;
  /** Attempts in flight, at former addresses too: the send loop ends after them. */
  attempts: number;
  /** The endpoint of the jobs that came last. */
  endpoint: Endpoint;
  /** Whether the store may hold more due deliveries. */
  due: boolean;
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
    attempts: 0,
    endpoint: newEndpoint(),
    isOnlyProcess,
    due: false,
    usedAtMs: nowMs,
  };
}

function newEndpoint(): Endpoint {
  return {
    inFlight: 0,
    averageInFlight: 1,
    window: 1,
    healthy: false,
    unresponsive: false,
    averageMs: 1_000,
    pausedUntilMs: 0,
    isPauseStored: true,
  };
}

/** The endpoint of an address that the queue is to send to: a new one where the address is another than before. */
export function endpointAt(queue: SubscriptionQueue, callbackUrl: string): Endpoint {
  const { endpoint } = queue;
  if (endpoint.callbackUrl === callbackUrl) return endpoint;
  if (endpoint.callbackUrl !== undefined) queue.endpoint = newEndpoint();
  queue.endpoint.callbackUrl = callbackUrl;
  return queue.endpoint;
}

/** Pauses the endpoint as its answer asked for. A longer pause stays. */
export function pauseAsAsked(endpoint: Endpoint, untilMs: number): void {
  if (untilMs <= endpoint.pausedUntilMs) return;
  endpoint.pausedUntilMs = untilMs;
  endpoint.isPauseStored = false;
}

/** Takes over the pause that the store has; 0 for none. */
export function pauseAsStored(endpoint: Endpoint, untilMs: number): void {
  endpoint.pausedUntilMs = untilMs;
  endpoint.isPauseStored = true;
}

/** How many more jobs may be claimed. */
export function freeCapacity(queue: SubscriptionQueue): number {
  return Math.max(0, claimedTarget(queue) - claimedCount(queue));
}

const nothing: readonly DeliveryJob[] = [];

/** Jobs to sign now, so that their signatures are ready when they are sent. */
export function takeUnsigned(queue: SubscriptionQueue): readonly DeliveryJob[] {
  const ahead = queue.endpoint.healthy ? signedAheadMax : 1;
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
  const { healthy, window, averageMs, averageInFlight } = queue.endpoint;
  if (!healthy) return window;
  const attemptMs = Math.max(averageMs, 1);
  const ahead = queue.isOnlyProcess
    ? window * Math.floor(claimedAheadMs / attemptMs)
    : Math.ceil((averageInFlight * sharedAheadMs) / attemptMs);
  return Math.min(Math.max(window, ahead), claimedMax);
}

function claimedCount({ jobs, endpoint }: SubscriptionQueue): number {
  return jobs.length + endpoint.inFlight;
}

/**
 * Slow start, multiplicative decrease. The window begins at one, doubles with every success, halves with a failure
 * and falls to one if no response arrives.
 */
export function adjustWindow(endpoint: Endpoint, outcome: AttemptOutcome, windowMax: number): void {
  endpoint.averageInFlight += (Math.max(endpoint.inFlight, 1) - endpoint.averageInFlight) / averagedOver;
  endpoint.averageMs += (outcome.durationMs - endpoint.averageMs) / averagedOver;
  endpoint.healthy = outcome.failure === undefined;
  endpoint.unresponsive = !endpoint.healthy && outcome.status === undefined;
  if (endpoint.healthy) endpoint.window = Math.min(endpoint.window * 2, windowMax);
  else endpoint.window = endpoint.unresponsive ? 1 : Math.max(1, Math.floor(endpoint.window / 2));
}
