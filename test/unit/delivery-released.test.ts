import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { cancelAll, cancelMissed, redeliverAll, resume } from "../../runtime/events/index.ts";
import { claimDue } from "../../runtime/events/dispatch/claim-loop.ts";
import { cancelledAtOnce, startCancelling } from "../../runtime/events/operations/cancel.ts";
import { releasedAtOnce, startReleasing } from "../../runtime/events/operations/redeliver.ts";
import { notedVerbs } from "../noted-verbs.ts";
import type { DeliveryRecord, Store } from "../../runtime/store/ports/index.ts";
import { openSqliteStore } from "../bank-stores.ts";
import { writeMigratedFile } from "../migrated-file.ts";
import { bank, insertParties } from "../store-contract/samples.ts";
import { until } from "../until.ts";
import { accountUpdate, startMs, steppingClock, subscriptionTo } from "./delivery-harness.ts";
import { insertSubscription, replaceSubscription } from "../../ledger/books/subscriptions.ts";
import {
  events,
  deliveries,
  openOfSubscription,
  deliveryByKey,
  dueDeliveries,
  deliveriesById,
  deliveryListing,
} from "../../runtime/store/tables/index.ts";
import { openDeliveriesOf } from "../../runtime/events/model/stored-deliveries.ts";

const clock = steppingClock();
const count = 2 * releasedAtOnce + 100;
const subscription = { ...subscriptionTo("https://example.com/", "s", startMs), enabled: false };
let folder: string;
let store: Store;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "released-"));
  const file = join(folder, "ledger.sqlite");
  await writeMigratedFile(file);
  store = await openSqliteStore({ file, migrate: false });
  await store.write(async (tx) => {
    await insertParties(tx);
    await insertSubscription(tx, subscription);
  });
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

const idOf = (index: number): string => String(index).padStart(6, "0");

async function insert(
  state: DeliveryRecord["state"],
  fields: Pick<DeliveryRecord, "dueAt" | "diedAt"> = { dueAt: startMs },
): Promise<void> {
  const all = Array.from({ length: count }, (_, index) => index);
  await store.write(async (tx) => {
    await tx.insert(
      events,
      ...all.map((index) => ({ ...accountUpdate(idOf(index), startMs), publishedAt: startMs })),
    );
    await tx.insert(
      deliveries,
      ...all.map((index) => ({
        id: idOf(index),
        institutionId: bank.id,
        subscriptionId: "s",
        eventId: idOf(index),
        eventName: "Account.UPDATE",
        topics: [String(index % 3)],
        sequence: index + 1,
        generation: 0,
        state,
        attempts: 0,
        failures: 0,
        createdAt: startMs + index,
        ...fields,
      })),
    );
  });
}
const countOf = (state: "PENDING" | "WAITING" | "HELD"): Promise<number> =>
  store.read((view) => view.count(openOfSubscription, state, "s", 0));

/** Releases in the background, and notes how many deliveries of a state are left after each transaction. */
async function leftBehind(state: "HELD" | "WAITING"): Promise<readonly number[]> {
  const left: number[] = [];
  const due: string[] = [];
  const releasing = startReleasing({
    store: {
      ...store,
      async write(work, options) {
        const value = await store.write(work, options);
        left.push(await countOf(state));
        return value;
      },
    },
    clock,
    onDue: (ids) => due.push(...ids),
    onFailure: (error) => expect.unreachable(String(error)),
  });
  await until(async () => (await countOf(state)) === 0);
  await releasing.close();
  expect(new Set(due)).toEqual(new Set(["s"]));
  return left;
}

test("what was held is released in parts, and all of it", async () => {
  await insert("HELD");
  const resumed = await store.write(async (tx) => {
    const enabled = { ...subscription, enabled: true };
    await replaceSubscription(tx, enabled);
    return resume(tx, enabled, undefined, clock.now());
  });
  expect(resumed).toBe(count);
  expect(await countOf("HELD")).toBe(count - releasedAtOnce);
  expect(await leftBehind("HELD")).toEqual([100, 0]);
  expect(await countOf("PENDING")).toBe(count);
});

test("in an ordered subscription one delivery of each account is due, and the others wait", async () => {
  await insert("HELD");
  await store.write(async (tx) => {
    for (let index = 0; index < count; index += 1)
      await tx.update(deliveryByKey, { orderingKey: String(index % 3) }, idOf(index));
    await replaceSubscription(tx, { ...subscription, enabled: true, ordered: true });
  });
  await leftBehind("HELD");
  expect([await countOf("PENDING"), await countOf("WAITING")]).toEqual([3, count - 3]);
  const firsts = await store.read((view) => view.many(dueDeliveries, "PENDING", "s", clock.now(), 9));
  expect(firsts.map(({ sequence }) => sequence).toSorted()).toEqual([1, 2, 3]);
});

test("what waited in a subscription that is no longer ordered is released in parts", async () => {
  await insert("WAITING");
  expect(await leftBehind("WAITING")).toEqual([count - releasedAtOnce, 100, 0]);
  expect(await countOf("PENDING")).toBe(count);
});

test("what was missed and is not resumed is cancelled in parts, and not released meanwhile", async () => {
  await insert("HELD");
  const cancelled = await store.write(async (tx) => {
    await tx.update(deliveriesById, { state: "PENDING" }, [idOf(0)]);
    await replaceSubscription(tx, { ...subscription, enabled: true });
    return cancelMissed(tx, { ...subscription, generation: 1 }, clock.now());
  });
  expect(cancelled).toBe(count - 1);
  expect(await countOf("HELD")).toBe(count - 1 - cancelledAtOnce);
  const options = { store, clock, onDue: () => undefined, onFailure: () => undefined };
  const releasing = startReleasing(options);
  await releasing.close();
  expect([await countOf("HELD"), await countOf("PENDING")]).toEqual([count - 1 - cancelledAtOnce, 1]);
  const cancelling = startCancelling(options);
  await until(async () => (await countOf("HELD")) === 0);
  await cancelling.close();
  // What waits for another attempt goes on.
  expect(await countOf("PENDING")).toBe(1);
});

test("what comes after the subscription is enabled again is not cancelled, although the clock was set back", async () => {
  await insert("HELD");
  await store.write(async (tx) => {
    const enabled = { ...subscription, enabled: true, ordered: true, generation: 1 };
    await replaceSubscription(tx, enabled);
    await cancelMissed(tx, enabled, startMs - 1_000);
  });
  await store.write(async (tx) => {
    const [former] = await openDeliveriesOf(tx, "s", "HELD", 1);
    if (former === undefined) throw new Error("nothing is left to cancel");
    await tx.insert(events, { ...accountUpdate("new", startMs - 999), publishedAt: startMs - 999 });
    const made = { id: "new", eventId: "new", state: "WAITING", createdAt: startMs - 999 } as const;
    await tx.insert(deliveries, { ...former, ...made, dueAt: startMs - 999, generation: 1 });
  });
  const cancelling = startCancelling({ store, clock, onDue: () => {}, onFailure: () => {} });
  await until(async () => (await countOf("HELD")) === 0);
  await cancelling.close();
  expect(await countOf("WAITING")).toBe(1);
});

test("what a revocation cancels stays cancelled where the subscription is handed on and enabled again", async () => {
  await insert("PENDING");
  // More than one call cancels of either.
  const held = Array.from({ length: cancelledAtOnce + 1 }, (_, index) => idOf(index));
  await store.write(async (tx) => {
    await tx.update(deliveriesById, { state: "HELD" }, held);
    await cancelAll(tx, [{ ...subscription, generation: 1 }], "REVOKED", clock.now());
  });
  await store.write((tx) => cancelMissed(tx, { ...subscription, generation: 2 }, clock.now()));
  const cancelling = startCancelling({ store, clock, onDue: () => {}, onFailure: () => {} });
  await until(async () => (await countOf("HELD")) === 0);
  await cancelling.close();
  expect(await countOf("PENDING")).toBe(0);
});

test("what is held in a subscription that is not enabled stays", async () => {
  await insert("HELD");
  const due: unknown[] = [];
  const releasing = startReleasing({ store, clock, onDue: (ids) => due.push(ids), onFailure: () => {} });
  releasing.wake();
  await releasing.close();
  expect(await countOf("HELD")).toBe(count);
  expect(due).toEqual([]);
});

test("retries and dead letters that are resumed are bounded", async () => {
  await insert("DEAD", { diedAt: startMs + 10 });
  const enabled = { ...subscription, enabled: true };
  expect(await store.write((tx) => resume(tx, enabled, startMs, clock.now()))).toBe(1_000);
  expect(await countOf("PENDING")).toBe(1_000);
});

test.each([
  ["sent", true],
  ["held", false],
])("many due deliveries are %s in as many statements as few", async (_name, enabled) => {
  await insert("PENDING");
  const asked: string[] = [];
  const claim = async (limit: number) => {
    asked.length = 0;
    const { jobs } = await store.write(async (tx) => {
      await replaceSubscription(tx, { ...subscription, enabled });
      const watched = notedVerbs(tx, (name) => void asked.push(name));
      const claimed = { claimedBy: "w", untilMs: startMs + 60_000, isInHand: () => false };
      return claimDue(watched, { subscriptionId: "s", limit, nowMs: clock.now(), ...claimed });
    });
    return { jobs: jobs.length, asked: asked.toSorted() };
  };
  const [few, many] = [await claim(2), await claim(200)];
  expect([few.jobs, many.jobs]).toEqual(enabled ? [2, 200] : [0, 0]);
  expect(many.asked).toEqual(few.asked);
  expect(await countOf(enabled ? "PENDING" : "HELD")).toBe(enabled ? count : 202);
});

test("redelivering several orders each account once, not each delivery", async () => {
  await insert("DELIVERED", {});
  let asked = 0;
  await store.write(async (tx) => {
    const counting = notedVerbs(tx, (name) => {
      if (name === "one deliveries") asked += 1;
    });
    const all = await tx.page(deliveryListing({ institutionId: bank.id, subscriptionId: "s", limit: count }));
    await redeliverAll(counting, all, { ...subscription, ordered: true }, clock.now());
  });
  expect(asked).toBe(3);
  expect([await countOf("PENDING"), await countOf("WAITING")]).toEqual([3, count - 3]);
});
