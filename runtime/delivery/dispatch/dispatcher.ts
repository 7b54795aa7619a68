import type { Clock, DeliveryRecord, IdSource, Store, StoreTransaction } from "../../ports/index.ts";
import { createBackpressure } from "./backpressure.ts";
import { claimDue, type ClaimedJobs } from "./claim-due.ts";
import { startDuePoller } from "./due-poller.ts";
import {
  isBelowLowWater,
  adjustWindow,
  freeCapacity,
  takeNext,
  takeUnsigned,
  type SubscriptionQueue,
} from "./subscription-queue.ts";
import { createLanes } from "./subscription-queues.ts";
import type { NotificationSender } from "./send-notification.ts";
import type { ClaimCapacity, DeliveryJob } from "../outbox/publish-batch.ts";
import type { AttemptOutcome } from "../transport/webhook-client.ts";
import { startOutcomeWriter } from "../outcomes/outcome-writer.ts";
import type { FollowUps, AttemptResult } from "../outcomes/record-outcomes.ts";
import { createInFlightLimiter, recentMs, type Permit, type InFlightLimits } from "./in-flight-limiter.ts";

/** Sends what is due, as fast as each endpoint takes it, and writes down what became of it. */
export interface Courier {
  /** Claims new deliveries, inside the transaction that makes them, as far as they can be sent at once. */
  claimCapacity(): ClaimCapacity;
  /** Takes over what was claimed by `admission`, and looks for what else is due. */
  take(parcels: readonly DeliveryJob[], waiting: ReadonlySet<string>): void;
  /** Resolves when it can take more, and soon in any case. */
  digested(): Promise<void>;
  /** Looks into the store for what is due. */
  wake(): void;
  /** Begins no delivery of a subscription that was claimed before: they were cancelled. */
  drop(subscriptionId: string): void;
  /** Finishes what is in flight, for `graceMs` at most, and gives back what was claimed. */
  close(graceMs: number): Promise<void>;
}

export interface CourierOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly outbound: NotificationSender;
  readonly limits: InFlightLimits;
  /** Longest time of one attempt. */
  readonly timeoutMs: number;
  readonly observer: CourierObserver;
}

/** Is told of what happens. */
export interface CourierObserver {
  attempted(delivery: DeliveryRecord, outcome: AttemptOutcome): void;
  deadLetter(delivery: DeliveryRecord): void;
  /** An endpoint answered 410: its subscription is no longer enabled. */
  gone(institutionId: string, subscriptionId: string): void;
  /** Something of the service's own failed; it goes on by itself. */
  failed(error: unknown): void;
}

/** How long a claim holds beyond the longest attempt: for waiting in a lane before, and for writing down after. */
const claimSpareMs = 45_000;
/** A delivery is not begun whose claim ends sooner than this after the longest attempt. */
const claimReserveMs = 5_000;
/** Deliveries claimed by this process and not yet written down, at most. */
const claimedMax = 8_192;
/** Of these in one transaction: whoever else wants to write waits for it. */
const claimedAtOnce = 512;
const starvedFedAtOnce = 16;
/** Lanes that get hungry within so long share a commit. */
const hungerGatheredMs = 5;

export function createCourier(options: CourierOptions): Courier {
  const { store, clock, ids, outbound, limits, timeoutMs, observer } = options;
  const claimedBy = ids.id();
  const claimMs = timeoutMs + claimSpareMs;
  const slots = createInFlightLimiter(limits);
  const lanes = createLanes(clock);
  const appetite = createBackpressure();
  /** Lanes that have something to send and found no slot. */
  const starved = new Set<SubscriptionQueue>();
  let claimedCount = 0;
  let claiming: Promise<void> | undefined;
  let claimAgain = false;
  let cancelStarved: (() => void) | undefined;
  let isClosing = false;
  const settlements = startOutcomeWriter({ ...options, onWritten, onFailure: observer.failed });
  const watch = startDuePoller({ ...options, onDue, onFailure: observer.failed });

  function claimCapacity(): ClaimCapacity {
    const room = new Map<SubscriptionQueue, number>();
    let total = claimedMax - claimedCount;
    const nowMs = clock.now();
    return {
      claim({ id }) {
        const lane = lanes.of(id);
        if (isClosing || lane.due || lane.pausedUntilMs > nowMs || total <= 0) return undefined;
        const left = room.get(lane) ?? freeCapacity(lane);
        if (left === 0) return undefined;
        room.set(lane, left - 1);
        total -= 1;
        return { claimedBy, dueAt: nowMs + claimMs };
      },
    };
  }

  function take(parcels: readonly DeliveryJob[], waiting: ReadonlySet<string>): void {
    for (const [id, own] of Map.groupBy(parcels, ({ subscription }) => subscription.id)) {
      queue(lanes.of(id), own);
    }
    onDue([...waiting]);
  }

  function queue(lane: SubscriptionQueue, claimed: readonly DeliveryJob[]): void {
    claimedCount += claimed.length;
    appetite.claimed(claimed.length);
    lane.jobs.push(...claimed);
    start(lane);
  }

  function onDue(subscriptionIds: readonly string[]): void {
    for (const id of subscriptionIds) lanes.of(id).due = true;
    if (subscriptionIds.length > 0) claimMore();
  }

  /** Sends from the lane's queue as long as it may and there is a slot. */
  function start(lane: SubscriptionQueue): void {
    if (sendSome(lane)) starved.delete(lane);
    else starve(lane);
    for (const parcel of takeUnsigned(lane)) outbound.prepare(parcel);
  }

  function drop(subscriptionId: string): void {
    const lane = lanes.of(subscriptionId);
    const dueAt = clock.now();
    for (let parcel = takeNext(lane); parcel !== undefined; parcel = takeNext(lane)) {
      appetite.started();
      // Their claims are gone: nothing is written but that nobody waits for them.
      settlements.add({ kind: "released", delivery: parcel.delivery, dueAt });
    }
  }

  /** Says whether there were slots enough. */
  function sendSome(lane: SubscriptionQueue): boolean {
    for (;;) {
      const [parcel] = lane.jobs;
      if (parcel === undefined || (lane.inFlight >= lane.window && !isClosing)) return true;
      const { delivery } = parcel;
      const nowMs = clock.now();
      const isLate = (delivery.dueAt ?? 0) - nowMs < timeoutMs + claimReserveMs;
      if (isClosing || isLate || lane.pausedUntilMs > nowMs) {
        takeNext(lane);
        appetite.started();
        lane.due = true;
        settlements.add({ kind: "released", delivery, dueAt: Math.max(nowMs, lane.pausedUntilMs) });
        continue;
      }
      const slot = slots.tryAcquire(outbound.originOf(parcel), lane.unresponsive, nowMs);
      if (slot === undefined) return false;
      takeNext(lane);
      appetite.started();
      void send(lane, parcel, slot);
    }
  }

  async function send(lane: SubscriptionQueue, parcel: DeliveryJob, slot: Permit): Promise<void> {
    lane.inFlight += 1;
    lane.usedAtMs = clock.now();
    const settled = await outbound.send(parcel).then(
      (outcome) => ended(lane, parcel, outcome),
      (error: unknown) => broken(parcel, error),
    );
    lane.inFlight -= 1;
    slots.release(slot);
    settlements.add(settled);
    start(lane);
    feedStarved();
    if (lane.due && isBelowLowWater(lane)) claimMore();
  }

  function ended(lane: SubscriptionQueue, { delivery }: DeliveryJob, outcome: AttemptOutcome): AttemptResult {
    if (outcome.failure === "shutdown") return { kind: "released", delivery, dueAt: clock.now() };
    adjustWindow(lane, outcome, limits.originConcurrency);
    if (outcome.retryAfterMs !== undefined) lane.pausedUntilMs = clock.now() + outcome.retryAfterMs;
    observer.attempted(delivery, outcome);
    return { kind: "attempted", delivery, outcome };
  }

  /** Not an attempt: it could not be made ready to be sent, say because a secret cannot be opened. */
  function broken({ delivery }: DeliveryJob, error: unknown): AttemptResult {
    observer.failed(error);
    return { kind: "released", delivery, dueAt: clock.now() + claimMs };
  }

  /** Lanes that found no slot try again when one is left, and when those in flight have aged. */
  function starve(lane: SubscriptionQueue): void {
    starved.add(lane);
    cancelStarved ??= clock.schedule(recentMs, () => {
      cancelStarved = undefined;
      for (const waiting of starved) start(waiting);
    });
  }

  function feedStarved(): void {
    for (const lane of starved.values().take(starvedFedAtOnce)) {
      // Who finds none again goes to the end.
      starved.delete(lane);
      start(lane);
    }
  }

  function onWritten(batch: readonly AttemptResult[], consequences: FollowUps): void {
    claimedCount -= batch.length;
    for (const delivery of consequences.deadLetters) observer.deadLetter(delivery);
    for (const { institutionId, subscriptionId } of consequences.gone) {
      observer.gone(institutionId, subscriptionId);
    }
    watch.wakeBy(consequences.nextDueAt);
    onDue([...consequences.due]);
  }

  function claimMore(): void {
    claimAgain = true;
    if (isClosing) return;
    claiming ??= claimAll()
      .catch(observer.failed)
      .finally(() => {
        claiming = undefined;
        if (claimAgain) claimMore();
      });
  }

  async function claimAll(): Promise<void> {
    for (;;) {
      claimAgain = false;
      await new Promise((resolve) => setTimeout(resolve, hungerGatheredMs));
      const chosen = lanes.takeHungry(Math.min(claimedAtOnce, claimedMax - claimedCount));
      if (chosen.length === 0 || isClosing) return;
      const nowMs = clock.now();
      const work = async (tx: StoreTransaction): Promise<readonly ClaimedJobs[]> => {
        const all: ClaimedJobs[] = [];
        for (const { lane, limit } of chosen) {
          const { subscriptionId } = lane;
          all.push(await claimDue(tx, { subscriptionId, limit, nowMs, claimedBy, untilMs: nowMs + claimMs }));
        }
        return all;
      };
      const claimed = await store.transact(work, { isRepeatable: true });
      for (const [index, { lane }] of chosen.entries()) takeClaimed(lane, claimed[index]);
    }
  }

  function takeClaimed(lane: SubscriptionQueue, claimed: ClaimedJobs | undefined): void {
    if (claimed === undefined) return;
    lane.due ||= claimed.more;
    lane.unresponsive ||= claimed.failing && !lane.healthy && lane.window === 1;
    if (claimed.pausedUntil !== undefined) {
      lane.pausedUntilMs = claimed.pausedUntil;
      watch.wakeBy(claimed.pausedUntil);
    }
    queue(lane, claimed.jobs);
  }

  async function close(graceMs: number): Promise<void> {
    isClosing = true;
    cancelStarved?.();
    await watch.close();
    await claiming;
    for (const lane of lanes.all()) start(lane);
    const giveUp = setTimeout(() => outbound.cancelAll(), graceMs);
    settlements.stopRetrying();
    while (lanes.isBusy() || !settlements.isIdle) {
      await settlements.drained();
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    clearTimeout(giveUp);
  }

  return { claimCapacity, take, digested: appetite.relieved, wake: watch.wake, drop, close };
}
