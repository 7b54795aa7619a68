import type { Clock, DeliveryRecord, IdSource, Store, StoreTransaction } from "../../ports/index.ts";
import { createAppetite } from "./backpressure.ts";
import { claimDue, type Claimed } from "./claim-due.ts";
import { createDueWatch } from "./due-poller.ts";
import { isHungry, learn, roomOf, takeNext, takeUnprepared, type Lane } from "./subscription-queue.ts";
import { createLanes } from "./subscription-queues.ts";
import type { Outbound } from "./send-notification.ts";
import type { Admission, Parcel } from "../outbox/publish-batch.ts";
import type { AttemptOutcome } from "../transport/webhook-client.ts";
import { createSettlements } from "../outcomes/outcome-writer.ts";
import type { Consequences, Settled } from "../outcomes/record-outcomes.ts";
import { createSlots, youthMs, type Slot, type SlotLimits } from "./in-flight-limiter.ts";

/** Sends what is due, as fast as each endpoint takes it, and writes down what became of it. */
export interface Courier {
  /** Claims new deliveries, inside the transaction that makes them, as far as they can be sent at once. */
  admission(): Admission;
  /** Takes over what was claimed by `admission`, and looks for what else is due. */
  take(parcels: readonly Parcel[], waiting: ReadonlySet<string>): void;
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
  readonly outbound: Outbound;
  readonly limits: SlotLimits;
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
  const slots = createSlots(limits);
  const lanes = createLanes(clock);
  const appetite = createAppetite();
  /** Lanes that have something to send and found no slot. */
  const starved = new Set<Lane>();
  let claimedCount = 0;
  let claiming: Promise<void> | undefined;
  let claimAgain = false;
  let cancelStarved: (() => void) | undefined;
  let isClosing = false;
  const settlements = createSettlements({ ...options, onWritten, onFailure: observer.failed });
  const watch = createDueWatch({ ...options, onDue, onFailure: observer.failed });

  function admission(): Admission {
    const room = new Map<Lane, number>();
    let total = claimedMax - claimedCount;
    const nowMs = clock.now();
    return {
      claim({ id }) {
        const lane = lanes.of(id);
        if (isClosing || lane.due || lane.pausedUntilMs > nowMs || total <= 0) return undefined;
        const left = room.get(lane) ?? roomOf(lane);
        if (left === 0) return undefined;
        room.set(lane, left - 1);
        total -= 1;
        return { claimedBy, dueAt: nowMs + claimMs };
      },
    };
  }

  function take(parcels: readonly Parcel[], waiting: ReadonlySet<string>): void {
    for (const [id, own] of Map.groupBy(parcels, ({ subscription }) => subscription.id)) {
      queue(lanes.of(id), own);
    }
    onDue([...waiting]);
  }

  function queue(lane: Lane, claimed: readonly Parcel[]): void {
    claimedCount += claimed.length;
    appetite.claimed(claimed.length);
    lane.queue.push(...claimed);
    start(lane);
  }

  function onDue(subscriptionIds: readonly string[]): void {
    for (const id of subscriptionIds) lanes.of(id).due = true;
    if (subscriptionIds.length > 0) claimMore();
  }

  /** Sends from the lane's queue as long as it may and there is a slot. */
  function start(lane: Lane): void {
    if (sendSome(lane)) starved.delete(lane);
    else starve(lane);
    for (const parcel of takeUnprepared(lane)) outbound.prepare(parcel);
  }

  function drop(subscriptionId: string): void {
    const lane = lanes.of(subscriptionId);
    const dueAt = clock.now();
    for (let parcel = takeNext(lane); parcel !== undefined; parcel = takeNext(lane)) {
      appetite.begun();
      // Their claims are gone: nothing is written but that nobody waits for them.
      settlements.add({ kind: "released", delivery: parcel.delivery, dueAt });
    }
  }

  /** Says whether there were slots enough. */
  function sendSome(lane: Lane): boolean {
    for (;;) {
      const [parcel] = lane.queue;
      if (parcel === undefined || (lane.inFlight >= lane.window && !isClosing)) return true;
      const { delivery } = parcel;
      const nowMs = clock.now();
      const isLate = (delivery.dueAt ?? 0) - nowMs < timeoutMs + claimReserveMs;
      if (isClosing || isLate || lane.pausedUntilMs > nowMs) {
        takeNext(lane);
        appetite.begun();
        lane.due = true;
        settlements.add({ kind: "released", delivery, dueAt: Math.max(nowMs, lane.pausedUntilMs) });
        continue;
      }
      const slot = slots.enter(outbound.originOf(parcel), lane.suspect, nowMs);
      if (slot === undefined) return false;
      takeNext(lane);
      appetite.begun();
      void send(lane, parcel, slot);
    }
  }

  async function send(lane: Lane, parcel: Parcel, slot: Slot): Promise<void> {
    lane.inFlight += 1;
    lane.usedAtMs = clock.now();
    const settled = await outbound.send(parcel).then(
      (outcome) => ended(lane, parcel, outcome),
      (error: unknown) => broken(parcel, error),
    );
    lane.inFlight -= 1;
    slots.leave(slot);
    settlements.add(settled);
    start(lane);
    feedStarved();
    if (lane.due && isHungry(lane)) claimMore();
  }

  function ended(lane: Lane, { delivery }: Parcel, outcome: AttemptOutcome): Settled {
    if (outcome.failure === "shutdown") return { kind: "released", delivery, dueAt: clock.now() };
    learn(lane, outcome, limits.originConcurrency);
    if (outcome.retryAfterMs !== undefined) lane.pausedUntilMs = clock.now() + outcome.retryAfterMs;
    observer.attempted(delivery, outcome);
    return { kind: "attempted", delivery, outcome };
  }

  /** Not an attempt: it could not be made ready to be sent, say because a secret cannot be opened. */
  function broken({ delivery }: Parcel, error: unknown): Settled {
    observer.failed(error);
    return { kind: "released", delivery, dueAt: clock.now() + claimMs };
  }

  /** Lanes that found no slot try again when one is left, and when those in flight have aged. */
  function starve(lane: Lane): void {
    starved.add(lane);
    cancelStarved ??= clock.schedule(youthMs, () => {
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

  function onWritten(batch: readonly Settled[], consequences: Consequences): void {
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
      const work = async (tx: StoreTransaction): Promise<readonly Claimed[]> => {
        const all: Claimed[] = [];
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

  function takeClaimed(lane: Lane, claimed: Claimed | undefined): void {
    if (claimed === undefined) return;
    lane.due ||= claimed.more;
    lane.suspect ||= claimed.failing && !lane.proven && lane.window === 1;
    if (claimed.pausedUntil !== undefined) {
      lane.pausedUntilMs = claimed.pausedUntil;
      watch.wakeBy(claimed.pausedUntil);
    }
    queue(lane, claimed.parcels);
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
      await settlements.settled();
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    clearTimeout(giveUp);
  }

  return { admission, take, digested: appetite.returned, wake: watch.wake, drop, close };
}
