import { createHmac } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { notedVerbs } from "../noted-verbs.ts";
import { auditedBySystem, readAudit } from "../../runtime/store/audit/index.ts";
import { cancelAll } from "../../runtime/events/index.ts";
import { cancelledAtOnce, startCancelling } from "../../runtime/events/operations/cancel.ts";
import {
  changeSubscription,
  endSubscriptions,
  queueTestEvent,
  removeSubscription,
} from "../../runtime/operations/admin/index.ts";
import {
  UnavailableError,
  type EndpointHealthRecord,
  type Store,
  type SubscriptionRecord,
} from "../../runtime/store/ports/index.ts";
import { idSource } from "../../runtime/operations/system/index.ts";
import { startReceiver, type Receiver, type Received } from "../e2e/receiver.ts";
import { bank, insertParties, user } from "../store-contract/samples.ts";
import { until } from "../until.ts";
import {
  formerSecret,
  heldBack,
  openHarness,
  seal,
  startMs,
  steppingClock,
  subscriptionTo,
} from "./delivery-harness.ts";
import type { Harness, HarnessOptions, SteppingClock } from "./delivery-harness.ts";
import type { SharedDatabase } from "./delivery-workers.ts";
import {
  subscriptionById,
  healthOfSubscription,
  users,
  subscriptionsOfUser,
  cancellationOf,
  events as eventsTable,
  deliveries,
  deliveryListing,
  endpointHealth,
  deadDeliveries,
  dueMails,
} from "../../runtime/store/tables/index.ts";
import { replaceSubscription, insertSubscription } from "../../ledger/books/subscriptions.ts";
import { lastAttemptsOf } from "../../runtime/events/model/stored-deliveries.ts";

const hourMs = 60 * 60 * 1_000;

/** An endpoint whose answers wait until the test gives them. */
interface Endpoint extends Receiver {
  /** Answers the request that has waited longest. */
  answer(status: number, retryAfterSeconds?: number): void;
  /** Answers what waits and all that follows with 204. */
  takeAll(): void;
}

async function startEndpoint(): Promise<Endpoint> {
  const held: ((status: number, retryAfterSeconds?: number) => void)[] = [];
  let isTaking = false;
  const receiver = await startReceiver((_request, response) => {
    const respond = (status: number, retryAfterSeconds?: number): void => {
      const asked = retryAfterSeconds === undefined ? {} : { "Retry-After": `${retryAfterSeconds}` };
      response.writeHead(status, asked).end();
    };
    if (isTaking) respond(204);
    else held.push(respond);
  });
  return {
    ...receiver,
    received: receiver.received,
    answer: (...answer) => held.shift()?.(...answer),
    takeAll: () => {
      isTaking = true;
      for (const respond of held.splice(0)) respond(204);
    },
  };
}

/** Changes a subscription while its deliveries are under way, in any store. */
// oxlint-disable-next-line max-lines-per-function -- the cases share two endpoints and their processes
export function describeChanges(name: string, openDatabase: () => Promise<SharedDatabase>): void {
  let database: SharedDatabase;
  let clock: SteppingClock;
  let store: Store;
  let former: Endpoint;
  let present: Endpoint;
  const harnesses: Harness[] = [];
  /** Each loses an answer that is withheld. */
  const losses: (() => void)[] = [];

  beforeEach(async () => {
    clock = steppingClock();
    database = await openDatabase();
    store = await database.open();
    await store.write(insertParties);
    [former, present] = await Promise.all([startEndpoint(), startEndpoint()]);
  });
  afterEach(async () => {
    // A test that failed before has lost no answer yet, and what waits for it would never close.
    for (const lose of losses.splice(0)) lose();
    await Promise.all(harnesses.splice(0).map((harness) => harness.close()));
    await Promise.all([former.close(), present.close()]);
    await database.dispose();
  });

  /** The process that sends. Changes are made by another one, over `store`. */
  async function sender(options: Partial<HarnessOptions> = {}): Promise<Harness> {
    const shared = options.store ?? (await database.open());
    const harness = await openHarness({ isOnlyProcess: false, ...options, store: shared, clock });
    harnesses.push(harness);
    return harness;
  }
  const stored = async (id: string): Promise<SubscriptionRecord> => {
    const found = await store.read((view) => view.one(subscriptionById, bank.id, id));
    if (found === undefined) throw new Error("no such subscription");
    return found;
  };
  /** Changes a subscription as UpdateSubscription does. */
  async function change(id: string, fields: Partial<SubscriptionRecord>, resumes = false): Promise<void> {
    const before = await stored(id);
    const events = { wake: () => undefined, record: async () => undefined };
    const after = { ...before, ...fields, updatedAt: clock.now() };
    await store.write((tx) => changeSubscription({ store: tx, clock, events }, before, after, resumes));
  }
  const healthOf = (id: string): Promise<EndpointHealthRecord | undefined> =>
    store.read((view) => view.one(healthOfSubscription, id));
  /** Waits for what due polls bring about, second by second. */
  const untilPolled = (harness: Harness, holds: () => Promise<boolean>): Promise<void> =>
    harness.until(async () => {
      clock.pass(1_000);
      return holds();
    });
  /** Waits for what polls bring about while no time passes. */
  const untilAllDelivered = (harness: Harness, count: number): Promise<void> =>
    harness.until(async () => {
      harness.delivery.claimDue();
      return (await countOf(harness, "DELIVERED")) === count;
    });
  const countOf = async (harness: Harness, state: Parameters<Harness["deliveries"]>[0]) =>
    (await harness.deliveries(state)).length;

  /** Has one delivered, then one in flight and five that wait behind it: four are claimed, as it claims many ahead. */
  async function queueBehindOne(): Promise<{ readonly harness: Harness; readonly id: string }> {
    const harness = await sender({ settings: { originConcurrency: 1 }, isOnlyProcess: true });
    const id = await harness.subscribe(former.url);
    await harness.publish();
    await former.until(1);
    former.answer(204);
    await harness.until(async () => (await countOf(harness, "DELIVERED")) === 1);
    for (let count = 0; count < 6; count += 1) await harness.publish();
    await former.until(2);
    await harness.until(async () => {
      const pending = await harness.deliveries("PENDING");
      return pending.length === 6 && pending.filter(({ claimedBy }) => claimedBy !== undefined).length === 5;
    });
    return { harness, id };
  }

  /** How many different notifications: one may come again while seconds pass faster than results are stored. */
  function arrivedAt({ received }: { readonly received: readonly Received[] }): number {
    return new Set(received.map(({ headers }) => headers["webhook-id"])).size;
  }

  function isSignedBy(secret: string, { headers, body }: Received): boolean {
    const key = Buffer.from(secret.slice("whsec_".length), "base64");
    const bytes = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
    const signature = createHmac("sha256", key).update(bytes).digest("base64");
    return headers["webhook-signature"]?.split(" ").includes(`v1,${signature}`) === true;
  }

  describe(name, () => {
    describe("what is queued when another process changes the subscription", () => {
      test("goes to the new address, and none of it to the former one", async () => {
        const { harness, id } = await queueBehindOne();
        present.takeAll();
        await change(id, { callbackUrl: present.url });
        former.answer(204);
        await untilPolled(harness, async () => (await countOf(harness, "DELIVERED")) === 7);
        expect([former.received.length, arrivedAt(present)]).toEqual([2, 5]);
      });

      test("goes to the new address although the former one does not answer", async () => {
        const { harness, id } = await queueBehindOne();
        present.takeAll();
        await change(id, { callbackUrl: present.url });
        await untilPolled(harness, async () => arrivedAt(present) === 5);
        expect(former.received).toHaveLength(2);
      });

      test("is held once it is disabled", async () => {
        const { harness, id } = await queueBehindOne();
        await change(id, { enabled: false });
        former.takeAll();
        await untilPolled(harness, async () => (await countOf(harness, "HELD")) === 5);
        expect(former.received).toHaveLength(2);
        expect(await countOf(harness, "DELIVERED")).toBe(2);
      });

      test("is signed with the new secret", async () => {
        const { harness, id } = await queueBehindOne();
        await change(id, { secretSealed: seal.seal(formerSecret) });
        former.takeAll();
        await untilPolled(harness, async () => (await countOf(harness, "DELIVERED")) === 7);
        // Some may come again: a delivery is made at least once.
        const [first, second, ...rest] = former.received.map((received) =>
          isSignedBy(formerSecret, received),
        );
        expect([first, second, new Set(rest)]).toEqual([false, false, new Set([true])]);
      });

      test.each(["REVOKED", "DELETED"] as const)("is not begun once it is cancelled: %s", async (reason) => {
        const { harness, id } = await queueBehindOne();
        const subscription = await stored(id);
        await store.write(async (tx) => {
          await cancelAll(tx, [{ ...subscription, generation: 1 }], reason, harness.clock.now());
          if (reason === "DELETED") await removeSubscription(tx, bank.id, id);
          else await replaceSubscription(tx, { ...subscription, enabled: false });
        });
        former.takeAll();
        await harness.until(async () => (await countOf(harness, "CANCELLED")) === 6);
        const next = await harness.subscribe(present.url);
        present.takeAll();
        await harness.publish();
        await harness.until(async () =>
          (await harness.deliveries("DELIVERED")).some(({ subscriptionId }) => subscriptionId === next),
        );
        expect(former.received).toHaveLength(2);
      });
    });

    describe("a user who is revoked", () => {
      async function subscribeMany(userName: string, count: number): Promise<void> {
        await store.write(async (tx) => {
          await tx.insert(users, { ...user, userName });
          for (let index = 0; index < count; index += 1) {
            const made = subscriptionTo(former.url, `${userName}-${index}`, startMs);
            await insertSubscription(tx, { ...made, userName });
          }
        });
      }
      /** Ends them as RevokeCredential does. Gives what it asked of the store, but for an audit entry each. */
      async function askedToEnd(userName: string): Promise<readonly string[]> {
        const asked: string[] = [];
        const noteCall = (name: string): void => {
          if (!name.endsWith(" audit_entries")) asked.push(name);
        };
        await store.write((tx) => {
          const actor = { institutionId: bank.id, operation: "tests", clock };
          const audited = auditedBySystem(notedVerbs(tx, noteCall), actor);
          const events = { wake: () => undefined };
          return endSubscriptions({ store: audited, clock, events }, { ...user, userName });
        });
        return asked;
      }

      test("costs as many questions with 60 subscriptions as with 20, and all of them are disabled", async () => {
        await subscribeMany("some", 20);
        await subscribeMany("many", 60);
        const asked = await askedToEnd("many");
        expect(asked).toEqual(await askedToEnd("some"));
        expect(asked.filter((name) => name.endsWith("e subscriptions"))).toEqual(["update subscriptions"]);
        const ended = await store.read((view) => view.many(subscriptionsOfUser, bank.id, "many"));
        expect(ended).toHaveLength(60);
        for (const subscription of ended) {
          expect(subscription).toMatchObject({ enabled: false, disabledReason: "REVOKED" });
          expect(subscription.groupId).toHaveLength(1);
          expect(await store.read((view) => view.one(cancellationOf, subscription.id))).toBeDefined();
          const subject = { type: "subscription", id: subscription.id } as const;
          const entries = await store.read((view) =>
            readAudit(view, { institutionId: bank.id, subject, limit: 9 }),
          );
          expect(entries.map(({ changes }) => changes.map(({ field }) => field).toSorted())).toEqual([
            ["disabledAt", "disabledReason", "enabled"],
          ]);
        }
      });

      test("changes nothing when it happens again", async () => {
        await subscribeMany("some", 2);
        await askedToEnd("some");
        const before = await store.read((view) => view.many(subscriptionsOfUser, bank.id, "some"));
        clock.pass(1_000);
        expect((await askedToEnd("some")).filter((name) => name.endsWith("e subscriptions"))).toEqual([]);
        expect(await store.read((view) => view.many(subscriptionsOfUser, bank.id, "some"))).toEqual(before);
      });
    });

    describe("what was made while the clock was ahead", () => {
      /** As many deliveries of each subscription, made an hour ahead of the clock. */
      async function queueAhead(count: number, each: number): Promise<readonly SubscriptionRecord[]> {
        const subscriptions = Array.from({ length: count }, (_none, index) =>
          subscriptionTo(former.url, `ahead-${index}`, startMs),
        );
        await store.write(async (tx) => {
          for (const subscription of subscriptions) {
            await insertSubscription(tx, subscription);
            const { id: subscriptionId, institutionId } = subscription;
            const made = Array.from({ length: each }, (_none, index) =>
              heldBack({ id: `${subscriptionId}-${index}`, institutionId }, clock.now() + hourMs),
            );
            await tx.insert(eventsTable, ...made.map(({ event }) => event));
            await tx.insert(
              deliveries,
              ...made.map(({ delivery }) => ({ ...delivery, subscriptionId, state: "HELD" as const })),
            );
          }
        });
        return subscriptions;
      }
      const statesOf = async (id: string): Promise<readonly string[]> => {
        const query = { institutionId: bank.id, subscriptionId: id, limit: 1_000 };
        return (await store.read((view) => view.page(deliveryListing(query)))).map(({ state }) => state);
      };

      test.each([
        ["NOT_RESUMED", 1, 2],
        ["DELETED", 1, cancelledAtOnce + 2],
        ["REVOKED", 12, 2],
      ] as const)("is cancelled once the clock is set back: %s", async (reason, count, each) => {
        const subscriptions = await queueAhead(count, each);
        await store.write((tx) =>
          cancelAll(
            tx,
            subscriptions.map((each) => ({ ...each, generation: 1 })),
            reason,
            clock.now(),
          ),
        );
        clock.pass(1);
        const failures: unknown[] = [];
        const cancelling = startCancelling({
          store,
          clock,
          onDue: () => undefined,
          onFailure: (error) => failures.push(error),
        });
        const last =
          subscriptions
            .map(({ id }) => id)
            .toSorted()
            .at(-1) ?? "";
        await until(async () => (await store.read((view) => view.one(cancellationOf, last))) === undefined);
        await cancelling.close();
        for (const { id } of subscriptions)
          expect(await statesOf(id)).toEqual(Array.from({ length: each }, () => "CANCELLED"));
        expect(failures).toEqual([]);
      });
    });

    describe("an endpoint that asked for a pause", () => {
      async function paused(): Promise<{ readonly harness: Harness; readonly id: string }> {
        const harness = await sender();
        const id = await harness.subscribe(former.url);
        await harness.publish();
        await former.until(1);
        former.answer(429, 3_600);
        await harness.attempted(1);
        await harness.publish();
        await harness.claimRound();
        expect([former.received.length, (await healthOf(id))?.pausedUntil]).toEqual([1, startMs + hourMs]);
        return { harness, id };
      }

      test("does not pause the address that follows it", async () => {
        const { harness, id } = await paused();
        present.takeAll();
        await change(id, { callbackUrl: present.url });
        await untilPolled(harness, async () => (await countOf(harness, "DELIVERED")) === 2);
        expect([former.received.length, present.received.length]).toEqual([1, 2]);
        expect(await healthOf(id)).not.toHaveProperty("pausedUntil");
        expect(clock.now()).toBeLessThan(startMs + hourMs);
      });

      test("gets a test event after it was resumed", async () => {
        const { harness, id } = await paused();
        former.takeAll();
        await change(id, { enabled: false });
        await change(id, { enabled: true }, true);
        const events = { wake: () => undefined, record: async () => undefined };
        const audit = { record: async () => undefined };
        const subscription = await stored(id);
        await store.write((tx) =>
          queueTestEvent({ store: tx, clock, ids: idSource(clock), events, audit }, subscription, "tests"),
        );
        await untilPolled(harness, async () => (await countOf(harness, "DELIVERED")) === 3);
        expect(clock.now()).toBeLessThan(startMs + hourMs);
      });

      test("is left alone by a process that claimed before it heard of the pause", async () => {
        const { harness, id } = await queueBehindOne();
        const health = { institutionId: bank.id, subscriptionId: id, delivered: 1, deadLetters: 0 };
        const pause = { failedAttempts: 0, pausedUntil: startMs + hourMs };
        await store.write((tx) => tx.put(endpointHealth, { ...health, ...pause }));
        former.takeAll();
        await harness.until(async () =>
          (await harness.deliveries("PENDING")).every(({ claimedBy }) => claimedBy === undefined),
        );
        await harness.claimRound();
        expect(former.received).toHaveLength(2);
        clock.pass(hourMs + 1);
        await harness.until(async () => (await countOf(harness, "DELIVERED")) === 7);
      });

      test("keeps the longer pause, whatever the answers to earlier requests ask", async () => {
        const harness = await sender();
        const id = await harness.subscribe(former.url);
        await harness.publish();
        await former.until(1);
        former.answer(204);
        await harness.until(async () => (await countOf(harness, "DELIVERED")) === 1);
        for (let count = 0; count < 3; count += 1) await harness.publish();
        await former.until(3);
        const attempts = async () =>
          (await harness.deliveries()).reduce((sum, delivery) => sum + delivery.attempts, 0);
        former.answer(429, 60);
        await harness.until(async () => (await attempts()) === 2);
        former.answer(429, 1);
        await harness.until(async () => (await attempts()) === 3);
        expect((await healthOf(id))?.pausedUntil).toBe(startMs + 60_000);
        clock.pass(30_000);
        await harness.claimRound();
        expect(former.received).toHaveLength(3);
        former.takeAll();
        clock.pass(30_001);
        await harness.until(async () => (await countOf(harness, "DELIVERED")) === 4);
      });
    });

    describe("an answer of the former address that arrives after the change", () => {
      test.each([
        [410, undefined],
        [429, 3_600],
        [500, undefined],
      ])("says nothing of the new one: %i", async (status, retryAfter) => {
        const harness = await sender();
        const id = await harness.subscribe(former.url);
        await harness.publish();
        await former.until(1);
        present.takeAll();
        await change(id, { callbackUrl: present.url });
        former.answer(status, retryAfter);
        await present.until(1);
        await harness.until(async () => (await harness.only()).state === "DELIVERED");
        expect(await harness.only()).toMatchObject({ attempts: 2, failures: 0 });
        expect(clock.now()).toBe(startMs);
        expect((await stored(id)).enabled).toBe(true);
        const health = await healthOf(id);
        expect(health).toMatchObject({ delivered: 1, failedAttempts: 1, deadLetters: 0 });
        for (const state of ["failingSince", "pausedUntil", "lastFailure"]) {
          expect(health).not.toHaveProperty(state);
        }
        expect([harness.mails, harness.disabled]).toEqual([[], []]);
      });

      test("counts for the delivery where it is 2xx", async () => {
        const harness = await sender();
        const id = await harness.subscribe(former.url);
        await harness.publish();
        await former.until(1);
        await change(id, { callbackUrl: present.url });
        former.answer(204);
        await harness.until(async () => (await harness.only()).state === "DELIVERED");
        expect(present.received).toEqual([]);
      });
    });

    describe("a commit whose answer is lost", () => {
      /**
       * The store of a process whose first commit of claims, of results in order, or (undefined) of a publication is not
       * answered before `lose`.
       */
      function unanswered(isClaim: boolean | undefined, isSought: () => Promise<boolean>) {
        const committed = Promise.withResolvers<void>();
        const lost = Promise.withResolvers<never>();
        lost.promise.catch(() => undefined);
        let isWithheld = false;
        const withholding: Store = {
          ...store,
          async write(work, options) {
            const result = await store.write(work, options);
            const isOfLoop = options?.isRepeatable === true && options.isClaim === isClaim;
            if (!isOfLoop || !(await isSought()) || isWithheld) return result;
            isWithheld = true;
            committed.resolve();
            return lost.promise;
          },
        };
        const lose = (): void => lost.reject(new UnavailableError("unreachable"));
        losses.push(lose);
        return { store: withholding, committed: committed.promise, lose };
      }

      test("holds up the results of no other subscription, and stores none twice", async () => {
        const isDelivered = async () => (await store.read(deliveredOf)).length > 0;
        let slow = "";
        const deliveredOf: Parameters<typeof store.read<readonly unknown[]>>[0] = (view) =>
          view.page(
            deliveryListing({
              institutionId: bank.id,
              subscriptionId: slow,
              state: "DELIVERED",
              limit: 1,
            }),
          );
        const { store: withholding, committed, lose } = unanswered(false, isDelivered);
        const harness = await sender({ store: withholding });
        slow = await harness.subscribe(former.url, { groupId: ["slow"], ordered: true });
        const other = await harness.subscribe(present.url, { groupId: ["other"], ordered: true });
        former.takeAll();
        present.takeAll();
        for (let count = 0; count < 3; count += 1) await harness.publish({ topics: ["slow"] });
        await committed;
        for (let count = 0; count < 3; count += 1) await harness.publish({ topics: ["other"] });
        // Far from the end of any claim, and from the limit of any statement.
        clock.pass(250);
        await present.until(3);
        // Long before the answer is missed, the results are stored once more.
        clock.pass(2_000);
        await untilAllDelivered(harness, 6);
        lose();
        await harness.until(() => harness.failures.length === 1);
        expect([former.received.length, present.received.length]).toEqual([3, 3]);
        for (const { id } of await harness.deliveries())
          expect(await store.read((view) => lastAttemptsOf(view, id))).toHaveLength(1);
        for (const id of [slow, other]) expect(await healthOf(id)).toMatchObject({ delivered: 3 });
      });

      test("holds up no events that follow, and loses none", async () => {
        const isPublished = async () =>
          (await store.read((view) => view.page(deliveryListing({ institutionId: bank.id, limit: 1 }))))
            .length > 0;
        const { store: withholding, committed, lose } = unanswered(undefined, isPublished);
        const harness = await sender({ store: withholding });
        await harness.subscribe(former.url, { groupId: ["slow"] });
        await harness.subscribe(present.url, { groupId: ["other"] });
        former.takeAll();
        present.takeAll();
        await harness.publish({ topics: ["slow"] });
        await committed;
        await harness.publish({ topics: ["other"] });
        clock.pass(2_000);
        await harness.until(() => harness.failures.length > 0);
        clock.pass(1_000);
        await present.until(1);
        await former.until(1);
        await untilAllDelivered(harness, 2);
        lose();
        await harness.claimRound();
        expect([former.received.length, present.received.length]).toEqual([1, 1]);
      });

      test("holds up the claims of no other subscription", async () => {
        let slow = "";
        const isClaimed = async () =>
          (
            await store.read((view) =>
              view.page(deliveryListing({ institutionId: bank.id, subscriptionId: slow, limit: 1 })),
            )
          ).some(({ claimedBy }) => claimedBy !== undefined);
        const { store: withholding, committed, lose } = unanswered(true, isClaimed);
        const harness = await sender({ store: withholding });
        slow = await harness.subscribe(former.url, { enabled: false });
        const other = await harness.subscribe(present.url, { enabled: false });
        former.takeAll();
        present.takeAll();
        await harness.publish();
        await harness.until(async () => (await countOf(harness, "HELD")) === 2);
        await change(slow, { enabled: true }, true);
        harness.delivery.claimDue();
        await committed;
        await change(other, { enabled: true }, true);
        // Long before the claims end.
        clock.pass(1_000);
        harness.delivery.claimDue();
        await present.until(1);
        await untilAllDelivered(harness, 2);
        lose();
        await harness.claimRound();
        expect([former.received.length, present.received.length]).toEqual([1, 1]);
      });
    });

    test("410 disables the subscription and mails its owner in one transaction", async () => {
      let isKilled = false;
      const never = new Promise<never>(() => undefined);
      const killed: Store = {
        ...store,
        read: (work) => (isKilled ? never : store.read(work)),
        async write(work, options) {
          if (isKilled) return never;
          const result = await store.write(work, options);
          isKilled ||= (await store.read((view) => view.count(deadDeliveries, bank.id))) > 0;
          return isKilled ? never : result;
        },
      };
      const harness = await sender({ store: killed });
      harnesses.splice(harnesses.indexOf(harness), 1);
      const id = await harness.subscribe(former.url);
      await harness.publish();
      await former.until(1);
      former.answer(410);
      await harness.until(() => isKilled);
      expect(await stored(id)).toMatchObject({ enabled: false, disabledReason: "GONE" });
      expect(await store.read((view) => view.many(dueMails, clock.now(), 9))).toHaveLength(1);
    });
  });
}
