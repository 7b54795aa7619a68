import { expect, test } from "vitest";
import type { Store } from "../../runtime/store/ports/index.ts";
import { releaseNextInOrder, changeClaimedDeliveries } from "../../runtime/events/model/stored-deliveries.ts";
import { startCancelling } from "../../runtime/events/operations/cancel.ts";
import { openStore } from "../bank-stores.ts";
import { delivery, event, outboxEvent } from "../store-contract/delivery-samples.ts";
import { optionsUnderTest } from "../store-contract/openers.ts";
import { insertParties } from "../store-contract/samples.ts";
import { describeChanges } from "../unit/delivery-changes.ts";
import { steppingClock } from "../unit/delivery-harness.ts";
import { describeWorkers, type SharedDatabase } from "../unit/delivery-workers.ts";
import { until } from "../until.ts";
import { testDatabase } from "./databases.ts";
import {
  events,
  deliveries,
  outboxEvents,
  dueDeliveries,
  oldestEvents,
  eventSequences,
  deliveryByKey,
  firstInOrder,
  cancellations,
  cancellationOf,
  deliveryById,
} from "../../runtime/store/tables/index.ts";

async function openDatabase(): Promise<SharedDatabase> {
  const { url, dispose } = await testDatabase();
  const stores: Store[] = [];
  return {
    open: async () => {
      const store = await openStore(url, { ...optionsUnderTest, migrate: false });
      stores.push(store);
      return store;
    },
    dispose: async () => {
      await Promise.all(stores.map((store) => store.close()));
      await dispose();
    },
  };
}

describeWorkers("several processes over one PostgreSQL database", openDatabase);
describeChanges("a subscription that changes, over one PostgreSQL database", openDatabase);

test("two processes claim and publish at once, and neither waits for the other", async () => {
  const { url, dispose } = await testDatabase();
  const [one, other] = await Promise.all(
    [1, 2].map(() => openStore(url, { ...optionsUnderTest, migrate: false })),
  );
  if (one === undefined || other === undefined) throw new Error("no store was opened");
  const ids = ["d1", "d2", "d3", "d4"];
  await one.write(async (tx) => {
    await insertParties(tx);
    await tx.insert(events, ...ids.map((id) => ({ ...event, id })));
    await tx.insert(
      deliveries,
      ...ids.map((id) => ({ ...delivery, id, eventId: id, state: "PENDING" as const, dueAt: 1 })),
    );
    for (const id of ids) await tx.insert(outboxEvents, { ...outboxEvent, id });
  });
  const isClaim = true;
  const found = await one.write(
    async (tx) => {
      const mine = await tx.many(dueDeliveries, "PENDING", delivery.subscriptionId, 5, 2);
      const theirs = await other.write(
        (second) => second.many(dueDeliveries, "PENDING", delivery.subscriptionId, 5, 9),
        {
          isClaim,
        },
      );
      return [mine, theirs].map((due) => due.map(({ id }) => id));
    },
    { isClaim },
  );
  expect(found.map((due) => due.length)).toEqual([2, 2]);
  expect(new Set(found.flat())).toEqual(new Set(ids));
  const taken = await one.write(async (tx) => {
    const mine = await tx.take(oldestEvents, 2);
    const theirs = await other.write((second) => second.take(oldestEvents, 9));
    return [mine.length, theirs.length];
  });
  expect(taken).toEqual([2, 0]);
  expect(await other.write((tx) => tx.take(oldestEvents, 9))).toHaveLength(2);
  await Promise.all([one.close(), other.close()]);
  await dispose();
});

test("an event that is put behind a delivery, which is claimed and ends meanwhile, is sent", async () => {
  const { url, dispose } = await testDatabase();
  const [one, other] = await Promise.all(
    [1, 2].map(() => openStore(url, { ...optionsUnderTest, migrate: false })),
  );
  if (one === undefined || other === undefined) throw new Error("no store was opened");
  const { subscriptionId } = delivery;
  const orderingKey = "000000000000197";
  const ordered = { ...delivery, orderingKey, state: "PENDING" as const, dueAt: 1 } as const;
  await one.write(async (tx) => {
    await insertParties(tx);
    await tx.insert(events, event, { ...event, id: "next" });
    await tx.insert(deliveries, ordered);
    await tx.put(eventSequences, { subscriptionId, topic: orderingKey, last: 1 });
  });
  async function sendFirst(): Promise<void> {
    const claim = { claimedBy: "other", dueAt: 60_000 };
    await other?.write((tx) => tx.update(deliveryByKey, claim, ordered.id), { isClaim: true });
    await other?.write(async (tx) => {
      const finished = { dueAt: undefined, claimedBy: undefined, orderingKey: undefined };
      await tx.update(deliveryByKey, { state: "DELIVERED", ...finished }, ordered.id);
      await releaseNextInOrder(tx, subscriptionId, orderingKey, 5);
    });
  }
  let runs = 0;
  await one.write(async (tx) => {
    runs += 1;
    const before = await tx.one(firstInOrder, subscriptionId, orderingKey, 1);
    if (runs === 1) await sendFirst();
    const state = before === undefined ? "PENDING" : "WAITING";
    await tx.insert(deliveries, { ...ordered, id: "d-next", eventId: "next", sequence: 2, state });
    await tx.put(eventSequences, { subscriptionId, topic: orderingKey, last: 2 });
  });
  const first = await one.read((view) => view.one(firstInOrder, subscriptionId, orderingKey, 1));
  expect(first?.state).toBe("PENDING");
  await Promise.all([one.close(), other.close()]);
  await dispose();
});

test("a cancellation waits for a delivery's result that is being stored, leaves it, and is not run again", async () => {
  const { url, execute, dispose } = await testDatabase();
  const store = await openStore(url, { ...optionsUnderTest, migrate: false });
  const { subscriptionId, institutionId } = delivery;
  const ids = ["d1", "d2", "d3"];
  const { orderingKey: _key, ...unordered } = delivery;
  await store.write(async (tx) => {
    await insertParties(tx);
    await tx.insert(events, ...ids.map((id) => ({ ...event, id })));
    await tx.insert(
      deliveries,
      ...ids.map((id) => ({
        ...unordered,
        id,
        eventId: id,
        state: "PENDING" as const,
        dueAt: 1,
        claimedBy: "w",
      })),
    );
    const bound = { generation: delivery.generation + 1, until: Number.MAX_SAFE_INTEGER };
    await tx.put(cancellations, { subscriptionId, institutionId, ...bound, reason: "REVOKED" });
  });
  const [written, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const result = store.write(
    async (tx) => {
      const changes = { state: "DELIVERED", claimedBy: undefined, dueAt: undefined } as const;
      await changeClaimedDeliveries(tx, [{ id: "d1", claimedBy: "w", attempts: delivery.attempts, changes }]);
      written.resolve();
      await mayEnd.promise;
    },
    { isClaim: true },
  );
  await written.promise;
  let [asked, runs] = [0, 0];
  const counting: Store = {
    ...store,
    write: (work, options) => {
      asked += 1;
      return store.write((tx) => {
        runs += 1;
        return work(tx);
      }, options);
    },
  };
  const cancelling = startCancelling({
    store: counting,
    clock: steppingClock(),
    onDue: () => {},
    // On a slow machine the wait for a lock may end first.
    onFailure: () => cancelling.wake(),
  });
  const waiting =
    "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
  await until(async () => (await execute(waiting)).length > 0);
  mayEnd.resolve();
  await result;
  await until(
    async () => (await store.read((view) => view.one(cancellationOf, subscriptionId))) === undefined,
  );
  await cancelling.close();
  const states = await store.read((view) =>
    Promise.all(ids.map(async (id) => (await view.one(deliveryById, institutionId, id))?.state)),
  );
  expect(states).toEqual(["DELIVERED", "CANCELLED", "CANCELLED"]);
  expect(runs).toBe(asked);
  await store.close();
  await dispose();
});
