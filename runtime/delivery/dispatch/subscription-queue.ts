import type { Parcel } from "../outbox/publish-batch.ts";
import type { AttemptOutcome } from "../transport/webhook-client.ts";

/** What one process knows of the way to one subscription. The store knows the rest. */
export interface Lane {
  readonly subscriptionId: string;
  /** Claimed, and not yet being sent. */
  readonly queue: Parcel[];
  /** How many at the head of the queue are being made ready. */
  prepared: number;
  inFlight: number;
  /** How many may be in flight at once. */
  window: number;
  /** Its endpoint took what it was sent last: so it is worth getting more ready for it. */
  proven: boolean;
  /** Its endpoint gave no answer last time. */
  suspect: boolean;
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
const preparedMax = 256;
const averagedOver = 8;
const unproven = { window: 1, averageMs: 1_000, proven: false };

export function newLane(subscriptionId: string, nowMs: number): Lane {
  return {
    subscriptionId,
    queue: [],
    prepared: 0,
    inFlight: 0,
    ...unproven,
    suspect: false,
    due: false,
    pausedUntilMs: 0,
    usedAtMs: nowMs,
  };
}

/** How many more deliveries may be claimed for it. */
export function roomOf(lane: Lane): number {
  return Math.max(0, mostClaimed(lane) - claimedBy(lane));
}

const nothing: readonly Parcel[] = [];

/** Those that are to be made ready now, so that they need not be waited for when it is their turn. */
export function takeUnprepared(lane: Lane): readonly Parcel[] {
  const ahead = lane.proven ? preparedMax : 1;
  if (lane.prepared > ahead / 2) return nothing;
  const unprepared = lane.queue.slice(lane.prepared, ahead);
  lane.prepared += unprepared.length;
  return unprepared;
}

/** The next one, which is no longer in the queue. */
export function takeNext(lane: Lane): Parcel | undefined {
  lane.prepared = Math.max(0, lane.prepared - 1);
  return lane.queue.shift();
}

/** Whether it is worth claiming more: not for every delivery that leaves. */
export function isHungry(lane: Lane): boolean {
  return claimedBy(lane) <= mostClaimed(lane) / 2;
}

function mostClaimed({ proven, window, averageMs }: Lane): number {
  const rounds = Math.max(1, Math.floor(claimedAheadMs / Math.max(averageMs, 1)));
  return proven ? Math.min(window * rounds, claimedMax) : window;
}

function claimedBy({ queue, inFlight }: Lane): number {
  return queue.length + inFlight;
}

/**
 * An endpoint earns its concurrency: one at a time at first and after silence, twice as many with every success, half
 * as many after a refusal.
 */
export function learn(lane: Lane, outcome: AttemptOutcome, windowMax: number): void {
  lane.averageMs += (outcome.durationMs - lane.averageMs) / averagedOver;
  lane.proven = outcome.failure === undefined;
  lane.suspect = !lane.proven && outcome.status === undefined;
  if (lane.proven) lane.window = Math.min(lane.window * 2, windowMax);
  else lane.window = lane.suspect ? 1 : Math.max(1, Math.floor(lane.window / 2));
}
