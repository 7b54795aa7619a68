import type { DeliveryJob } from "../outbox/publish-batch.ts";
import type { AttemptOutcome } from "../transport/webhook-client.ts";

/** What one process knows of the way to one subscription. The store knows the rest. */
export interface SubscriptionQueue {
  readonly subscriptionId: string;
  /** Claimed, and not yet being sent. */
  readonly jobs: DeliveryJob[];
  /** How many at the head of the queue are being made ready. */
  signedAhead: number;
  inFlight: number;
  /** How many may be in flight at once. */
  window: number;
  /** Its endpoint took what it was sent last: so it is worth getting more ready for it. */
  healthy: boolean;
  /** Its endpoint gave no answer last time. */
  unresponsive: boolean;
  /** The store may hold more that is due. */
  due: boolean;
  /** How long an attempt takes, on average. */
  averageMs: number;
  pausedUntilMs: number;
  usedAtMs: number;
}

/** How far ahead of sending deliveries are claimed: a claim must not end before its delivery is sent. */
const claimedAheadMs = 5_000;
const claimedMax = 4_096;
/** Of a lane at once: what is ready early lies in memory, and may have to be made again. */
const signedAheadMax = 256;
const averagedOver = 8;
const initialWindow = { window: 1, averageMs: 1_000, healthy: false };

export function createSubscriptionQueue(subscriptionId: string, nowMs: number): SubscriptionQueue {
  return {
    subscriptionId,
    jobs: [],
    signedAhead: 0,
    inFlight: 0,
    ...initialWindow,
    unresponsive: false,
    due: false,
    pausedUntilMs: 0,
    usedAtMs: nowMs,
  };
}

/** How many more deliveries may be claimed for it. */
export function freeCapacity(lane: SubscriptionQueue): number {
  return Math.max(0, claimedTarget(lane) - claimedCount(lane));
}

const nothing: readonly DeliveryJob[] = [];

/** Those that are to be made ready now, so that they need not be waited for when it is their turn. */
export function takeUnsigned(lane: SubscriptionQueue): readonly DeliveryJob[] {
  const ahead = lane.healthy ? signedAheadMax : 1;
  if (lane.signedAhead > ahead / 2) return nothing;
  const unprepared = lane.jobs.slice(lane.signedAhead, ahead);
  lane.signedAhead += unprepared.length;
  return unprepared;
}

/** The next one, which is no longer in the queue. */
export function takeNext(lane: SubscriptionQueue): DeliveryJob | undefined {
  lane.signedAhead = Math.max(0, lane.signedAhead - 1);
  return lane.jobs.shift();
}

/** Whether it is worth claiming more: not for every delivery that leaves. */
export function isBelowLowWater(lane: SubscriptionQueue): boolean {
  return claimedCount(lane) <= claimedTarget(lane) / 2;
}

function claimedTarget({ healthy: proven, window, averageMs }: SubscriptionQueue): number {
  const rounds = Math.max(1, Math.floor(claimedAheadMs / Math.max(averageMs, 1)));
  return proven ? Math.min(window * rounds, claimedMax) : window;
}

function claimedCount({ jobs: queue, inFlight }: SubscriptionQueue): number {
  return queue.length + inFlight;
}

/**
 * An endpoint earns its concurrency: one at a time at first and after silence, twice as many with every success, half
 * as many after a refusal.
 */
export function adjustWindow(lane: SubscriptionQueue, outcome: AttemptOutcome, windowMax: number): void {
  lane.averageMs += (outcome.durationMs - lane.averageMs) / averagedOver;
  lane.healthy = outcome.failure === undefined;
  lane.unresponsive = !lane.healthy && outcome.status === undefined;
  if (lane.healthy) lane.window = Math.min(lane.window * 2, windowMax);
  else lane.window = lane.unresponsive ? 1 : Math.max(1, Math.floor(lane.window / 2));
}
