import { beforeEach, describe, expect, test } from "vitest";
import type { DeliveryQuery, DeliveryRecord, Reads, Audience } from "../../runtime/store/ports/index.ts";
import * as sent from "./delivery-samples.ts";
import { insertDelivery, subscription } from "./delivery-samples.ts";
import { account, accountWith, bank, insertParties, otherBank, user } from "./samples.ts";
import { storeForEachTest, type OpenStore } from "./store-under-test.ts";
import {
  subscribersInLane,
  lanesOfAudience,
  subscriptionIdsOf,
  countOpenOf,
  changeClaimedDeliveries,
  releaseDeliveryClaims,
  removeDelivery,
  lastAttemptsOf,
  openDeliveriesOf,
} from "../../runtime/events/model/stored-deliveries.ts";
import { accounts } from "../../ledger/tables/index.ts";
import { insertSubscription, replaceSubscription } from "../../ledger/books/subscriptions.ts";
import { removeSubscription } from "../../runtime/operations/admin/index.ts";
import {
  users,
  subscriptionIdsOfUser,
  targetsById,
  endpointHealth,
  eventSequences,
  subscriptionById,
  healthOfSubscription,
  sequencesOfTopics,
  deliveryById,
  subscriptionsAfter,
  subscriptionsOfUserAfter,
  deliveryListing,
  deadDeliveries,
  dueDeliveries,
  deliveriesDueAfter,
  firstDueDeliveries,
  deliveryByKey,
  deliveriesById,
  openDeliveries,
  openOfSubscription,
  firstInOrder,
  deliveryAttempts,
  deliveriesBefore,
  eventById,
  firstOpenDeliveries,
  endpointsDueForReview,
  healthOfSubscriptions,
  outboxEvents,
  oldestEvents,
  serviceKeys,
  allServiceKeys,
  serviceKeyById,
  institutionsByName,
} from "../../runtime/store/tables/index.ts";

/** Subscriptions, and events on their way to them. */
export function describeDeliveries(open: OpenStore): void {
  describe("subscribers", () => {
    const store = storeForEachTest(open);
    const inLane = async (kind: Audience["kind"], value: string, after = "", limit = 9) => {
      const audience = { institutionId: bank.id, kind, value };
      const page = await store().read((view) =>
        subscribersInLane(view, audience, user.userName, after, limit),
      );
      return page.map(({ subscriptionId, topic }) => `${subscriptionId} ${topic}`);
    };
    const ofNumber = async (number: string) =>
      (await inLane("topic", number)).map((row) => row.split(" ")[0]);
    beforeEach(() => store().write(insertParties));

    test("are found by account number and by customer, each institution's alone", async () => {
      await store().write(async (tx) => {
        await tx.insert(accounts, accountWith("account-9", { number: "9" }));
        await insertSubscription(tx, { ...subscription, id: "b", groupId: ["9", account.number] });
        await insertSubscription(tx, { ...subscription, id: "a", groupId: ["9", "unknown"] });
        await insertSubscription(tx, { ...subscription, id: "a", institutionId: otherBank.id });
      });
      expect(await ofNumber("9")).toEqual(["a", "b"]);
      expect(await ofNumber(account.number)).toEqual(["b"]);
      expect(await ofNumber("unknown")).toEqual(["a"]);
      expect(await ofNumber("10")).toEqual([]);
      expect(await inLane("topic", "9", "a")).toEqual(["b 9"]);
      expect(await inLane("topic", "9", "", 1)).toEqual(["a 9"]);
      const { customerId, number } = account;
      const [first = ""] = [number, "9"].toSorted();
      expect(await inLane("group", customerId)).toEqual(["a 9", `b ${first}`]);
      expect(await inLane("group", customerId, "a")).toEqual([`b ${first}`]);
      expect(await inLane("group", customerId, "", 1)).toEqual(["a 9"]);
    });

    test("have the lane of the user who made the subscription, whoever has it now", async () => {
      const lanes = (limit = 9) =>
        store().read((view) =>
          lanesOfAudience(view, { institutionId: bank.id, kind: "topic", value: "9" }, limit),
        );
      await store().write(async (tx) => {
        for (const userName of ["maker", "another", "heir"]) await tx.insert(users, { ...user, userName });
        for (const [id, userName] of [
          ["a", "maker"],
          ["b", "maker"],
          ["c", "another"],
        ] as const) {
          await insertSubscription(tx, { ...subscription, id, userName, groupId: ["9"] });
        }
      });
      expect(await lanes()).toEqual(["another", "maker"]);
      expect(await lanes(1)).toEqual(["another"]);
      await store().write((tx) =>
        replaceSubscription(tx, { ...subscription, id: "c", userName: "heir", groupId: ["9", "10"] }),
      );
      expect(await lanes()).toEqual(["another", "maker"]);
      await store().read(async (view) => {
        expect(await subscriptionIdsOf(view, bank.id, "heir")).toEqual(["c"]);
        expect(await view.count(subscriptionIdsOfUser, bank.id, "heir")).toBe(1);
        expect(await view.count(subscriptionIdsOfUser, bank.id, "nobody")).toBe(0);
        const targets = await view.many(targetsById, bank.id, ["a", "c", "unknown"]);
        expect(targets.map(({ id, userName }) => `${id} ${userName}`).toSorted()).toEqual([
          "a maker",
          "c heir",
        ]);
        expect(targets[0]).not.toHaveProperty("groupId");
      });
    });

    test("follow what they are replaced by, and go with their subscription", async () => {
      await store().write((tx) => insertSubscription(tx, subscription));
      await store().write((tx) => replaceSubscription(tx, { ...subscription, groupId: ["7", "8"] }));
      expect(await ofNumber(account.number)).toEqual([]);
      expect(await ofNumber("8")).toEqual([subscription.id]);
      await store().write(async (tx) => {
        await tx.put(endpointHealth, sent.health);
        await tx.put(eventSequences, { subscriptionId: subscription.id, topic: "8", last: 1 });
        await insertDelivery(tx, "d");
        await removeSubscription(tx, bank.id, subscription.id);
        await removeSubscription(tx, bank.id, "never was");
      });
      expect(await ofNumber("8")).toEqual([]);
      await store().read(async (view) => {
        expect(await view.one(subscriptionById, bank.id, subscription.id)).toBeUndefined();
        expect(await view.one(healthOfSubscription, subscription.id)).toBeUndefined();
        expect(await view.many(sequencesOfTopics, subscription.id, ["8"])).toEqual([]);
        expect(await view.one(deliveryById, bank.id, "d")).toBeDefined();
      });
    });

    test("are listed page by page, by creation, then id", async () => {
      const made = [
        { ...subscription, id: "c", createdAt: 1 },
        { ...subscription, id: "a", createdAt: 2 },
        { ...subscription, id: "b", createdAt: 2 },
      ];
      await store().write(async (tx) => {
        for (const record of made.toReversed()) await insertSubscription(tx, record);
        await insertSubscription(tx, { ...subscription, institutionId: otherBank.id });
      });
      const page = (limit: number, after?: { createdAt: number; id: string }) =>
        store().read((view) =>
          view.many(subscriptionsAfter, bank.id, after?.createdAt ?? 0, after?.id ?? "", limit),
        );
      expect(await page(9)).toStrictEqual(made);
      expect(await page(2)).toStrictEqual(made.slice(0, 2));
      expect(await page(2, made[1])).toStrictEqual(made.slice(2));
      expect(await page(2, made[2])).toEqual([]);
    });

    test("of one user are listed page by page, by creation, then id", async () => {
      const made = [
        { ...subscription, id: "c", createdAt: 1 },
        { ...subscription, id: "a", createdAt: 2 },
        { ...subscription, id: "b", createdAt: 2 },
      ];
      await store().write(async (tx) => {
        for (const record of made.toReversed()) await insertSubscription(tx, record);
        await tx.insert(users, { ...user, userName: "another" });
        await insertSubscription(tx, { ...subscription, id: "d", createdAt: 2, userName: "another" });
        await insertSubscription(tx, { ...subscription, institutionId: otherBank.id });
      });
      const page = (limit: number, after?: { createdAt: number; id: string }) =>
        store().read((view) =>
          view.many(
            subscriptionsOfUserAfter,
            bank.id,
            subscription.userName,
            after?.createdAt ?? 0,
            after?.id ?? "",
            limit,
          ),
        );
      expect(await page(9)).toStrictEqual(made);
      expect(await page(2)).toStrictEqual(made.slice(0, 2));
      expect(await page(2, made[1])).toStrictEqual(made.slice(2));
      expect(await page(2, made[2])).toEqual([]);
    });
  });

  describe("deliveries", () => {
    const store = storeForEachTest(open);
    const insert = (id: string, fields: Partial<DeliveryRecord> = {}) =>
      store().write((tx) => insertDelivery(tx, id, fields));
    const ids = async (work: (view: Reads) => Promise<readonly { readonly id: string }[]>) =>
      (await store().read(work)).map(({ id }) => id);
    const find = (id: string) => store().read((view) => view.one(deliveryById, bank.id, id));
    beforeEach(() => store().write(insertParties));

    test("are listed newest first, narrowed by everything there is to narrow by", async () => {
      const other = { subscriptionId: "other", createdAt: 2 };
      await insert("a", { createdAt: 1, topics: ["1", "22"], state: "DELIVERED", deliveredAt: 9 });
      await insert("b", { ...other, topics: ["2%"], eventId: "event of a" });
      await insert("c", { ...other, topics: ["2"], state: "DEAD", diedAt: 5 });
      await insert("d", { createdAt: 3, topics: [], state: "DEAD", diedAt: 5 });
      await insert("e", { institutionId: otherBank.id, state: "DEAD", diedAt: 5 });
      const list = (query: Partial<DeliveryQuery>) =>
        ids((view) => view.page(deliveryListing({ institutionId: bank.id, limit: 9, ...query })));
      expect(await list({})).toEqual(["d", "c", "b", "a"]);
      expect(await list({ limit: 2 })).toEqual(["d", "c"]);
      expect(await list({ after: { createdAt: 2, id: "c" } })).toEqual(["b", "a"]);
      expect(await list({ subscriptionId: "other" })).toEqual(["c", "b"]);
      expect(await list({ subscriptionId: "other", after: { createdAt: 2, id: "c" } })).toEqual(["b"]);
      expect(await list({ state: "DEAD" })).toEqual(["d", "c"]);
      expect(await list({ state: "DEAD", subscriptionId: "other" })).toEqual(["c"]);
      expect(await list({ state: "PENDING" })).toEqual(["b"]);
      expect(await list({ eventId: "event of a" })).toEqual(["b", "a"]);
      expect(await list({ topic: "2" })).toEqual(["c"]);
      expect(await list({ topic: "22" })).toEqual(["a"]);
      expect(await list({ topic: "2%" })).toEqual(["b"]);
      expect(await list({ from: 2, to: 3 })).toEqual(["c", "b"]);
      expect(await list({ institutionId: otherBank.id, state: "DEAD" })).toEqual(["e"]);
      expect(await store().read((view) => view.count(deadDeliveries, bank.id))).toBe(2);
    });

    test("that are due are found by subscription, the longest due first", async () => {
      await insert("later", { dueAt: 11 });
      await insert("second", { dueAt: 10 });
      await insert("first", { dueAt: 9 });
      await insert("held", { state: "HELD", dueAt: 1 });
      await insert("done", { state: "DELIVERED", deliveredAt: 1 });
      await insert("other", { subscriptionId: "z", dueAt: 1 });
      const due = (limit: number) =>
        ids((view) => view.many(dueDeliveries, "PENDING", subscription.id, 10, limit));
      expect(await due(9)).toEqual(["first", "second"]);
      expect(await due(1)).toEqual(["first"]);
      const after = (time: number) =>
        ids((view) => view.many(deliveriesDueAfter, "PENDING", subscription.id, time, 2));
      expect(await after(8)).toEqual(["later", "second"]);
      expect(await after(10)).toEqual(["later"]);
      expect(await after(11)).toEqual([]);
      const firsts = async (after: string, limit = 9) => {
        const found = await store().read((view) => view.many(firstDueDeliveries, "PENDING", after, 0, limit));
        return found.map(({ subscriptionId, dueAt }) => [subscriptionId, dueAt]);
      };
      expect(await firsts("")).toEqual([
        [subscription.id, 9],
        ["z", 1],
      ]);
      expect(await firsts("", 1)).toEqual([[subscription.id, 9]]);
      expect(await firsts(subscription.id)).toEqual([["z", 1]]);
      expect(await firsts("z")).toEqual([]);
      const countOpen = (...of: readonly string[]) => store().read((view) => countOpenOf(view, of));
      expect(await countOpen(subscription.id, "unknown")).toBe(4);
      expect(await countOpen(subscription.id, "z")).toBe(5);
      expect(await countOpen()).toBe(0);
    });

    test("are changed by whose claim holds, and by nobody else", async () => {
      await insert("d", { dueAt: 5 });
      await insert("e", { dueAt: 5, claimedBy: "mine" });
      const over = { state: "DELIVERED", claimedBy: undefined, dueAt: undefined } as const;
      const changed = (claimedBy: string, attempts = 0) =>
        store().write((tx) => changeClaimedDeliveries(tx, [{ id: "d", claimedBy, attempts, changes: over }]));
      await store().write((tx) => tx.update(deliveryByKey, { claimedBy: "mine", dueAt: 30 }, "d"));
      expect(await changed("theirs")).toEqual([false]);
      expect(await find("d")).toMatchObject({ state: "PENDING", claimedBy: "mine", dueAt: 30, sequence: 1 });
      expect(await changed("mine", 1)).toEqual([false]);
      expect(await changed("mine")).toEqual([true]);
      const { claimedBy, dueAt, ...rest } = sent.delivery;
      expect(Object.keys((await find("d")) ?? {})).not.toContain("claimedBy");
      expect(await changed("mine")).toEqual([false]);
      const several = ["d", "e", "no such"].map((id) => ({
        id,
        claimedBy: "mine",
        attempts: 0,
        changes: { dueAt: 8 },
      }));
      expect(await store().write((tx) => changeClaimedDeliveries(tx, several))).toEqual([false, true, false]);
      expect(await find("e")).toMatchObject({ state: "PENDING", claimedBy: "mine", dueAt: 8 });
      expect([claimedBy, dueAt, rest.id]).toBeDefined();
    });

    test("cannot lose what every one of them has", async () => {
      await insert("d");
      const lost = store().write((tx) => tx.update(deliveryByKey, { state: undefined }, "d"));
      await expect(lost).rejects.toThrow(/state cannot be absent/);
    });

    test("of one subscription and state are counted", async () => {
      await insert("a", { dueAt: 5, createdAt: 8 });
      await insert("b", { dueAt: 6, createdAt: 7 });
      await insert("c", { subscriptionId: "other", dueAt: 6 });
      await insert("d", { state: "WAITING", dueAt: 5 });
      await store().write((tx) => tx.update(deliveriesById, { state: "HELD" }, ["a", "b"]));
      await store().read(async (view) => {
        expect(await view.count(openDeliveries, bank.id, "HELD")).toBe(2);
        expect(await view.count(openDeliveries, bank.id, "PENDING")).toBe(1);
        expect(await view.count(openOfSubscription, "PENDING", subscription.id, 0)).toBe(0);
        expect(await view.count(openOfSubscription, "HELD", subscription.id, 0)).toBe(2);
        expect((await view.one(openDeliveries, bank.id, "HELD", 1))?.id).toBe("b");
        expect(await view.one(openDeliveries, bank.id, "WAITING", 1)).toMatchObject({ id: "d" });
      });
    });

    test("claimed by a process that is no more are due again", async () => {
      await insert("claimed", { dueAt: 500, claimedBy: "gone" });
      await insert("retried", { dueAt: 500 });
      expect(await store().write((tx) => releaseDeliveryClaims(tx, 10))).toBe(1);
      expect(await ids((view) => view.many(dueDeliveries, "PENDING", subscription.id, 10, 9))).toEqual([
        "claimed",
      ]);
      expect(await find("claimed")).not.toHaveProperty("claimedBy");
    });

    test("in order begin with the lowest sequence that is still to come", async () => {
      await insert("third", { sequence: 3, orderingKey: "1", state: "WAITING", dueAt: 1 });
      await insert("second", { sequence: 2, orderingKey: "1", state: "WAITING", dueAt: 9 });
      await insert("first", { sequence: 1, state: "DELIVERED" });
      await insert("other", { sequence: 1, orderingKey: "2", dueAt: 9 });
      const first = (key: string) => store().read((view) => view.one(firstInOrder, subscription.id, key, 1));
      expect(await first("1")).toMatchObject({ id: "second" });
      expect(await first("2")).toMatchObject({ id: "other" });
      expect(await first("3")).toBeUndefined();
    });

    test("that are old and settled go with their attempts, and the last one with its event", async () => {
      await insert("a", { state: "DELIVERED", createdAt: 3 });
      await insert("b", { state: "DELIVERED", createdAt: 2, subscriptionId: "other", eventId: "event of a" });
      await insert("c", { state: "DEAD", diedAt: 1 });
      await insert("d", { state: "DELIVERED", createdAt: 4 });
      await store().write((tx) => tx.insert(deliveryAttempts, { ...sent.attempt, deliveryId: "a" }));
      const old = async (createdAt: number, id: string) => {
        const found = await store().read((view) => view.many(deliveriesBefore, bank.id, 4, createdAt, id, 2));
        return found.map((delivery) => delivery.id);
      };
      expect(await old(0, "")).toEqual(["c", "b"]);
      expect(await old(2, "b")).toEqual(["a"]);
      const remove = (id: string) => store().write((tx) => removeDelivery(tx, { id, eventId: "event of a" }));
      const isEventThere = async () =>
        (await store().read((view) => view.one(eventById, "event of a"))) !== undefined;
      await remove("b");
      expect(await isEventThere()).toBe(true);
      await remove("a");
      expect(await isEventThere()).toBe(false);
      expect(await store().read((view) => lastAttemptsOf(view, "a"))).toEqual([]);
      expect(await old(2, "b")).toEqual([]);
    });

    test("keep their attempts by number", async () => {
      await insert("d");
      const attempts = [10, 2, 1].map((number) => ({ ...sent.attempt, deliveryId: "d", number }));
      const { status, failure, detail, response, ...bare } = { ...sent.attempt, deliveryId: "d", number: 3 };
      await store().write((tx) => tx.insert(deliveryAttempts, ...attempts, bare));
      const kept = await store().read((view) => lastAttemptsOf(view, "d"));
      expect(kept.map(({ number }) => number)).toEqual([1, 2, 3, 10]);
      expect(kept[2]).toStrictEqual(bare);
      expect([status, failure, detail, response]).not.toContain(undefined);
    });

    test("give the last hundred of their attempts", async () => {
      await insert("d");
      const attempts = Array.from({ length: 103 }, (_, index) => ({
        ...sent.attempt,
        deliveryId: "d",
        number: index + 1,
      }));
      await store().write((tx) => tx.insert(deliveryAttempts, ...attempts));
      const given = await store().read((view) => lastAttemptsOf(view, "d"));
      expect(given.map(({ number }) => number)).toEqual(attempts.slice(3).map(({ number }) => number));
    });

    test("that are open are found by subscription and changed some at a time", async () => {
      await insert("a", { state: "HELD", dueAt: 1, createdAt: 1, generation: 2 });
      await insert("b", { state: "HELD", dueAt: 2, createdAt: 2, generation: 1 });
      await insert("c", { state: "HELD", dueAt: 3, createdAt: 3 });
      await insert("d", { state: "HELD", dueAt: 1, subscriptionId: "other" });
      await insert("e", { dueAt: 1 });
      await store().read(async (view) => {
        const first = async (after: string, limit: number) =>
          (await view.many(firstOpenDeliveries, "HELD", after, 0, limit)).map(({ id }) => id);
        expect(await first("", 9)).toEqual(["d", "a"]);
        expect(await first("", 1)).toEqual(["d"]);
        expect(await first("other", 9)).toEqual(["a"]);
        const openOf = async (limit: number, before?: number) =>
          (await openDeliveriesOf(view, subscription.id, "HELD", limit, before)).map(({ id }) => id);
        expect(await openOf(2)).toEqual(["a", "b"]);
        expect(await openOf(9, 2)).toEqual(["b", "c"]);
        expect(await openOf(1, 2)).toEqual(["b"]);
      });
      await store().write((tx) => tx.update(deliveriesById, { state: "PENDING" }, ["a", "c", "no such"]));
      const states = ["a", "b", "c", "d"].map(async (id) => (await find(id))?.state);
      expect(await Promise.all(states)).toEqual(["PENDING", "HELD", "PENDING", "HELD"]);
      await store().write((tx) => tx.update(deliveriesById, { state: "PENDING" }, []));
    });
  });

  describe("what is kept beside deliveries", () => {
    const store = storeForEachTest(open);
    beforeEach(() => store().write(insertParties));

    test("sequences go on where they were", async () => {
      const put = (...lasts: readonly (readonly [string, number])[]) =>
        store().write((tx) =>
          tx.put(eventSequences, ...lasts.map(([topic, last]) => ({ subscriptionId: "s", topic, last }))),
        );
      const lasts = async (...numbers: readonly string[]) => {
        const found = await store().read((view) => view.many(sequencesOfTopics, "s", numbers));
        return Object.fromEntries(found.map(({ topic, last }) => [topic, last]));
      };
      expect(await lasts("1", "2")).toEqual({});
      await put(["1", 1], ["2", 7]);
      await put(["1", 2], ["3", 9]);
      expect(await lasts("1", "2", "other")).toEqual({ 1: 2, 2: 7 });
      expect(await store().read((view) => view.many(sequencesOfTopics, "other", ["1"]))).toEqual([]);
    });

    test("the health of endpoints, those to be judged longest first", async () => {
      const { failingSince, reviewAt, lastFailedAt, lastFailure, pausedUntil, ...sound } = sent.health;
      await store().write(async (tx) => {
        await tx.put(endpointHealth, { ...sent.health, subscriptionId: "late", reviewAt: 9 });
        await tx.put(endpointHealth, { ...sent.health, subscriptionId: "early", reviewAt: 3 });
        await tx.put(endpointHealth, { ...sound, subscriptionId: "sound" });
        await tx.put(endpointHealth, sent.health);
      });
      const dueForReview = async (time: number, limit: number) =>
        (await store().read((view) => view.many(endpointsDueForReview, time, limit))).map(
          ({ subscriptionId }) => subscriptionId,
        );
      expect(await dueForReview(8, 9)).toEqual(["early", subscription.id]);
      expect(await dueForReview(8, 1)).toEqual(["early"]);
      const found = () => store().read((view) => view.one(healthOfSubscription, subscription.id));
      expect(await found()).toStrictEqual(sent.health);
      const many = await store().read((view) =>
        view.many(healthOfSubscriptions, [subscription.id, "early", "no"]),
      );
      expect(many.map(({ subscriptionId }) => subscriptionId).toSorted()).toEqual(
        [subscription.id, "early"].toSorted(),
      );
      await store().write((tx) => tx.put(endpointHealth, sound));
      expect(await found()).toStrictEqual(sound);
      expect([failingSince, reviewAt, lastFailedAt, lastFailure, pausedUntil]).not.toContain(undefined);
    });

    test("events that were relayed leave the outbox", async () => {
      await store().write(async (tx) => {
        await tx.insert(outboxEvents, sent.outboxEvent);
        await tx.insert(outboxEvents, { ...sent.outboxEvent, id: "a later event" });
        await tx.insert(outboxEvents, { ...sent.outboxEvent, id: "the last" });
        const taken = await tx.take(oldestEvents, 2);
        expect(taken.map(({ id }) => id)).toEqual(["event-1", "a later event"]);
      });
      const left = await store().read((view) => view.many(oldestEvents, 9));
      expect(left.map(({ id }) => id)).toEqual(["the last"]);
      expect(await store().write((tx) => tx.take(oldestEvents, 9))).toStrictEqual(left);
      expect(await store().write((tx) => tx.take(oldestEvents, 9))).toEqual([]);
    });

    test("service keys are listed by creation, and go", async () => {
      await store().write(async (tx) => {
        await tx.insert(serviceKeys, { ...sent.serviceKey, keyId: "b", createdAt: 2 });
        await tx.insert(serviceKeys, { ...sent.serviceKey, keyId: "a", createdAt: 1 });
      });
      const keys = async () =>
        (await store().read((view) => view.many(allServiceKeys))).map(({ keyId }) => keyId);
      expect(await keys()).toEqual(["a", "b"]);
      await store().write((tx) => tx.remove(serviceKeyById, "a"));
      expect(await keys()).toEqual(["b"]);
    });

    test("institutions are listed", async () => {
      const all = await store().read((view) => view.many(institutionsByName));
      expect(all.map(({ id }) => id)).toEqual([bank.id, otherBank.id].toSorted());
    });
  });
}
