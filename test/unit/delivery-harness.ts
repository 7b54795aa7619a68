import {
  startEventDelivery,
  type EventDelivery,
  type EventSettings,
  type Resolver,
} from "../../runtime/events/index.ts";
import type { EventTranslator } from "../../runtime/pipeline/event-translator.ts";
import type {
  Clock,
  DeliveryRecord,
  DeliveryState,
  OutboxEventRecord,
  Store,
  SubscriptionRecord,
} from "../../runtime/store/ports/index.ts";
import { recipients } from "../../ledger/handlers/services/publish.ts";
import { createMemoryStore } from "../bank-stores.ts";
import { idSource, sealer } from "../../runtime/operations/system/index.ts";
import { account, bank, insertParties, user } from "../store-contract/samples.ts";
import { until } from "../until.ts";
import { insertSubscription } from "../../ledger/books/subscriptions.ts";
import {
  outboxEvents,
  deliveryListing,
  events,
  deliveries,
  deliveryById,
} from "../../runtime/store/tables/index.ts";
import { removeDelivery } from "../../runtime/events/model/stored-deliveries.ts";
import { notingMails, type QueuedMail } from "./queued-mails.ts";

export const secret = `whsec_${Buffer.alloc(32, 1).toString("base64")}`;
export const formerSecret = `whsec_${Buffer.alloc(32, 2).toString("base64")}`;
export const seal = sealer(new Uint8Array(32).fill(9));
export const startMs = Date.UTC(2026, 2, 2, 12);

/** Event delivery over a store of its own and a clock that moves when it is told to, with real sockets. */
export interface Harness {
  readonly store: Store;
  readonly clock: SteppingClock;
  readonly mails: readonly QueuedMail[];
  readonly disabled: readonly string[];
  readonly failures: readonly unknown[];
  delivery: EventDelivery;
  /** Stops delivering as a crash does, and starts anew over the same store. */
  restart(options?: Partial<HarnessOptions>): Promise<void>;
  subscribe(callbackUrl: string, fields?: Partial<SubscriptionRecord>): Promise<string>;
  /** Commits an event, and tells the delivery of it. Gives its identifier. */
  publish(fields?: Partial<OutboxEventRecord>): Promise<string>;
  deliveries(state?: DeliveryState): Promise<readonly DeliveryRecord[]>;
  only(): Promise<DeliveryRecord>;
  /** Waits, in real time, until something holds. */
  until(holds: () => boolean | Promise<boolean>): Promise<void>;
  /**
   * Waits until the claim loop has claimed, or left alone, every delivery that is due now. One sent too early then has
   * a `webhook-timestamp` of the clock's present time.
   */
  claimRound(): Promise<void>;
  /** Waits until the only delivery there is has made so many attempts. */
  attempted(times: number): Promise<DeliveryRecord>;
  close(): Promise<void>;
}

export interface HarnessOptions {
  readonly settings: Partial<EventSettings>;
  readonly resolver: Resolver;
  readonly store: Store;
  readonly clock: SteppingClock;
  readonly isOnlyProcess: boolean;
  readonly translator: EventTranslator;
}

export interface SteppingClock extends Clock {
  /** Moves on, and calls back what is due by then. */
  pass(ms: number): void;
  /** Shows an earlier time from now on. Timers wait as long as before, as those of a machine do. */
  setBack(ms: number): void;
}

/** To all events of the account. */
export function subscriptionTo(callbackUrl: string, id: string, createdAt: number): SubscriptionRecord {
  return {
    id,
    institutionId: bank.id,
    userName: user.userName,
    name: "Treasury",
    callbackUrl,
    events: ["Account.NEW", "Account.UPDATE", "Transaction.NEW", "Transaction.UPDATE"],
    groupId: [account.number],
    secretSealed: seal.seal(secret),
    enabled: true,
    ordered: false,
    createdAt,
    updatedAt: createdAt,
  };
}

export function accountUpdate(id: string, createdAt: number): OutboxEventRecord {
  return {
    id,
    institutionId: bank.id,
    name: "Account.UPDATE",
    source: "ledger",
    topics: [account.number],
    group: account.customerId,
    payloadJson: `{"number":"${account.number}","balance":12.50}`,
    createdAt,
  };
}

/** Whether a failure is one: a commit under way is late where a test moves the clock on meanwhile. */
export function isFault(failure: unknown): boolean {
  return !String(failure).includes("the store has not answered");
}

export async function openHarness(options: Partial<HarnessOptions> = {}): Promise<Harness> {
  const store = options.store ?? createMemoryStore();
  const clock = options.clock ?? steppingClock();
  const ids = idSource(clock);
  const mails: QueuedMail[] = [];
  const disabled: string[] = [];
  const failures: unknown[] = [];
  if (options.store === undefined) await store.write(insertParties);
  const start = (more: Partial<HarnessOptions>): Promise<EventDelivery> => {
    const { settings, resolver, translator, isOnlyProcess = true } = { ...options, ...more };
    return startEventDelivery({
      store,
      clock,
      ids,
      sealer: notingMails(seal, mails),
      userAgent: "harness",
      isOnlyProcess,
      recipients,
      settings: {
        httpCallbacks: true,
        networksAllowed: ["127.0.0.0/8"],
        portsAllowed: [],
        concurrency: 512,
        originConcurrency: 32,
        timeoutMs: 15_000,
        retentionDays: 30,
        waitingPerUserMax: 100_000,
        ...settings,
      },
      observer: {
        attempted: () => undefined,
        deadLetter: () => undefined,
        disabled: (id, reason) => disabled.push(`${id} ${reason}`),
        failed: (error) => failures.push(error),
      },
      ...(resolver === undefined ? {} : { resolver }),
      ...(translator === undefined ? {} : { translator }),
    });
  };

  const harness: Harness = {
    store,
    clock,
    mails,
    disabled,
    failures,
    delivery: await start({}),
    async restart(more = {}) {
      await harness.delivery.close(0);
      harness.delivery = await start(more);
    },
    async subscribe(callbackUrl, fields = {}) {
      const id = fields.id ?? ids.id();
      const subscription = { ...subscriptionTo(callbackUrl, id, clock.now()), ...fields };
      await store.write((tx) => insertSubscription(tx, subscription));
      return id;
    },
    async publish(fields = {}) {
      const event = { ...accountUpdate(ids.id(), clock.now()), ...fields };
      await store.write((tx) => tx.insert(outboxEvents, event));
      harness.delivery.pollOutbox();
      return event.id;
    },
    deliveries: (state) =>
      store.read((view) =>
        view.page(
          deliveryListing({
            institutionId: bank.id,
            limit: 100_000,
            ...(state === undefined ? {} : { state }),
          }),
        ),
      ),
    async only() {
      const [only, ...others] = await harness.deliveries();
      if (only === undefined || others.length > 0) throw new Error("there is not just one delivery");
      return only;
    },
    until,
    async claimRound() {
      const control = subscriptionTo("https://control.example/", ids.id(), clock.now());
      const { delivery, event } = heldBack(control, clock.now());
      await store.write(async (tx) => {
        await insertSubscription(tx, { ...control, groupId: [], enabled: false });
        await tx.insert(events, event);
        await tx.insert(deliveries, delivery);
      });
      harness.delivery.claimDue();
      // The round that finds it due and holds it claims what else is due, in one transaction.
      await harness.until(
        async () =>
          (await store.read((view) => view.one(deliveryById, bank.id, delivery.id)))?.state === "HELD",
      );
      await store.write((tx) => removeDelivery(tx, delivery));
    },
    async attempted(times) {
      await harness.until(async () => {
        const [only] = await harness.deliveries();
        return only !== undefined && only.attempts >= times && only.claimedBy === undefined;
      });
      return harness.only();
    },
    close: () => harness.delivery.close(0),
  };
  return harness;
}

/** A delivery that is due, of a subscription that is not enabled: claiming it makes it HELD. */
export function heldBack(
  { id, institutionId }: Pick<SubscriptionRecord, "id" | "institutionId">,
  nowMs: number,
) {
  const event = { ...accountUpdate(`event-${id}`, nowMs), publishedAt: nowMs };
  const delivery: DeliveryRecord = {
    id: `delivery-${id}`,
    institutionId,
    subscriptionId: id,
    eventId: event.id,
    eventName: event.name,
    topics: event.topics,
    sequence: 1,
    generation: 0,
    state: "PENDING",
    attempts: 0,
    failures: 0,
    dueAt: nowMs,
    createdAt: nowMs,
  };
  return { event, delivery };
}

export function steppingClock(): SteppingClock {
  let nowMs = startMs;
  let backMs = 0;
  let timers: { at: number; readonly callback: () => void }[] = [];
  return {
    now: () => nowMs,
    elapsedMs: () => nowMs + backMs,
    schedule(delayMs, callback) {
      if (delayMs <= 0) {
        const immediate = setImmediate(callback);
        return () => clearImmediate(immediate);
      }
      const timer = { at: nowMs + delayMs, callback };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    pass(ms) {
      nowMs += ms;
      const due = timers.filter(({ at }) => at <= nowMs);
      timers = timers.filter(({ at }) => at > nowMs);
      for (const { callback } of due) callback();
    },
    setBack(ms) {
      nowMs -= ms;
      backMs += ms;
      for (const timer of timers) timer.at -= ms;
    },
  };
}
