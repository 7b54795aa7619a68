import { createCounts, shareOf } from "../../contract/queues.ts";
import type { Clock } from "../../store/ports/index.ts";
import type { AttemptResult } from "../model/attempt-outcome.ts";
import type { DeliveryJob, DueQueue, JobQueues } from "../model/queues.ts";
import { createSignal, type Signal } from "../model/loops.ts";
import type { FollowUps } from "../outcomes/record-outcomes.ts";
import type { Backpressure } from "./backpressure.ts";
import {
  createSubscriptionQueue,
  endpointAt,
  freeCapacity,
  isBelowLowWater,
  pauseAsStored,
  type SubscriptionQueue,
} from "./subscription-queue.ts";
import type { ClaimCapacity } from "../outbox/publisher.ts";
import type { Lease } from "../model/claim-transactions.ts";

/** The queues of this process, one for each subscription. All loops of delivery meet here. */
export interface SubscriptionQueues extends JobQueues, DueQueue {
  of(subscriptionId: string): SubscriptionQueue;
  /** Whether a claimed job's result is not stored yet. */
  isInHand(deliveryId: string): boolean;
  /** Wakes the claim loop: a queue may need refilling. */
  readonly refill: Signal;
  /** Hands out how many more jobs this process may claim, for one transaction. */
  shares(): GrantClaims;
  /** The results of some claimed jobs are stored, and with them the pauses that endpoints asked for. */
  recorded(results: readonly AttemptResult[], pauses: FollowUps["pauses"]): void;
  /**
   * Queues to refill, each with the number of jobs it may claim, `totalMax` at most together. They move to the end of
   * the turn and are no longer due.
   */
  takeBelowLowWater(totalMax: number): readonly Refill[];
}

/** Gives how many of the wanted jobs may be claimed for a user. */
export type GrantClaims = (userName: string, wanted: number) => number;

export interface Refill {
  readonly queue: SubscriptionQueue;
  readonly limit: number;
  /** Present where the queue's user is not known yet: asked once the user is. */
  readonly grant?: GrantClaims;
}

export interface SubscriptionQueuesOptions {
  readonly clock: Clock;
  readonly backpressure: Backpressure;
  /** Whether no other process delivers. */
  readonly isOnlyProcess: boolean;
  /** A queue without a send loop has got jobs. */
  onActive(queue: SubscriptionQueue): void;
}

/** Jobs claimed by this process whose results are not stored, at most. One user has seven eighths of them. */
const claimedMax = 8_192;
const refilledAtOnce = 256;
const idleMs = 300_000;
const sweptEveryMs = 60_000;

// oxlint-disable-next-line max-lines-per-function -- every step changes the same queues
export function createSubscriptionQueues(options: SubscriptionQueuesOptions): SubscriptionQueues {
  const { clock, backpressure, isOnlyProcess, onActive } = options;
  const queues = new Map<string, SubscriptionQueue>();
  const refill = createSignal();
  /** The users of claimed jobs, by delivery. */
  const claimed = new Map<string, string>();
  const claimedBy = createCounts();
  /** Whether a queue was not refilled, or not as far as it could be, for want of a share. */
  let isHeldBack = false;
  let sweptAtMs = clock.now();

  function of(subscriptionId: string): SubscriptionQueue {
    const known = queues.get(subscriptionId);
    if (known !== undefined) return known;
    const queue = createSubscriptionQueue(subscriptionId, clock.now(), isOnlyProcess);
    queues.set(subscriptionId, queue);
    return queue;
  }
  function uncount(deliveryId: string): void {
    const userName = claimed.get(deliveryId);
    if (userName === undefined) return;
    claimed.delete(deliveryId);
    claimedBy.add(userName, -1);
  }
  function shares(): GrantClaims {
    const granted = createCounts();
    let left = Math.max(0, claimedMax - claimed.size);
    let ahead = backpressure.room();
    return (userName, wanted) => {
      const more = granted.of(userName);
      const share = shareOf(claimedBy.of(userName) + more, left);
      const shareAhead = shareOf(backpressure.waitingOf(userName) + more, ahead);
      const given = Math.min(wanted, share, shareAhead);
      isHeldBack ||= given < wanted;
      left -= given;
      ahead -= given;
      granted.add(userName, given);
      return given;
    };
  }
  function enqueue(jobs: readonly DeliveryJob[]): void {
    for (const { delivery, subscription } of jobs) {
      uncount(delivery.id);
      claimed.set(delivery.id, subscription.userName);
      claimedBy.add(subscription.userName, 1);
      backpressure.claimed(subscription.userName);
    }
    for (const [id, own] of Map.groupBy(jobs, ({ subscription }) => subscription.id)) {
      const queue = of(id);
      for (const { subscription } of own.slice(-1)) {
        endpointAt(queue, subscription.callbackUrl);
        queue.userName = subscription.userName;
      }
      queue.jobs.push(...own);
      if (queue.isActive) queue.changed.wake();
      else onActive(queue);
    }
  }
  function markDue(subscriptionIds: Iterable<string>): void {
    for (const id of subscriptionIds) {
      of(id).due = true;
      refill.wake();
    }
  }
  function takeBelowLowWater(totalMax: number): readonly Refill[] {
    const nowMs = clock.now();
    if (nowMs - sweptAtMs >= sweptEveryMs) {
      sweptAtMs = nowMs;
      removeIdle(queues, nowMs);
    }
    const refills = refillsOf(queues.values(), nowMs, totalMax, shares());
    for (const { queue } of refills) {
      // The claim marks it again if more is due.
      queue.due = false;
      queues.delete(queue.subscriptionId);
      queues.set(queue.subscriptionId, queue);
    }
    return refills;
  }

  return {
    of,
    isInHand: (deliveryId) => claimed.has(deliveryId),
    enqueue,
    markDue,
    paused: () => pausedAmong(queues.values(), clock.now()),
    pauseUntil(subscriptionId, untilMs) {
      const endpoint = queues.get(subscriptionId)?.endpoint;
      if (endpoint?.isPauseStored === true) pauseAsStored(endpoint, untilMs);
    },
    refill,
    shares,
    recorded(results, pauses) {
      for (const { delivery } of results) uncount(delivery.id);
      if (isHeldBack) refill.wake();
      isHeldBack = false;
      for (const [id, untilMs] of pauses) {
        const queue = queues.get(id);
        if (queue !== undefined) pauseAsStored(queue.endpoint, untilMs);
      }
    },
    takeBelowLowWater,
  };
}

function removeIdle(queues: Map<string, SubscriptionQueue>, nowMs: number): void {
  for (const [id, queue] of queues) {
    if (!queue.isActive && !queue.due && nowMs - queue.usedAtMs > idleMs) queues.delete(id);
  }
}

function pausedAmong(queues: Iterable<SubscriptionQueue>, nowMs: number): readonly string[] {
  return [...queues]
    .filter(({ endpoint }) => endpoint.isPauseStored && endpoint.pausedUntilMs > nowMs)
    .map(({ subscriptionId }) => subscriptionId);
}

/** The queues that are due and below their low-water mark, with what each may claim; at most `totalMax` in all. */
function refillsOf(
  queues: Iterable<SubscriptionQueue>,
  nowMs: number,
  totalMax: number,
  grant: GrantClaims,
): readonly Refill[] {
  const refills: Refill[] = [];
  let left = totalMax;
  for (const queue of queues) {
    if (refills.length === refilledAtOnce || left <= 0) break;
    if (!queue.due || queue.endpoint.pausedUntilMs > nowMs || !isBelowLowWater(queue)) continue;
    const wanted = Math.min(freeCapacity(queue), left);
    const { userName } = queue;
    const limit = userName === undefined ? wanted : grant(userName, wanted);
    if (limit === 0) continue;
    refills.push({ queue, limit, ...(userName === undefined && { grant }) });
    left -= limit;
  }
  return refills;
}

/** The capacity of this process's queues, for one transaction that inserts deliveries. */
export function claimCapacityOf(queues: SubscriptionQueues, clock: Clock, lease: Lease): ClaimCapacity {
  const free = new Map<SubscriptionQueue, number>();
  const grant = queues.shares();
  const nowMs = clock.now();
  const claim = { claimedBy: lease.claimedBy, dueAt: nowMs + lease.claimMs };
  return {
    claim({ id, userName }) {
      const queue = queues.of(id);
      if (queue.due || queue.endpoint.pausedUntilMs > nowMs) return undefined;
      const left = free.get(queue) ?? freeCapacity(queue);
      if (left === 0 || grant(userName, 1) === 0) return undefined;
      free.set(queue, left - 1);
      return claim;
    },
  };
}
