import { afterEach, beforeEach, expect, test } from "vitest";
import { createClaimTransactions } from "../../runtime/events/model/claim-transactions.ts";
import { cancelAll, cancelledAtOnce, startCancelling } from "../../runtime/events/operations/cancel.ts";
import { readBacklog } from "../../runtime/events/index.ts";
import { createLaneRooms } from "../../runtime/events/outbox/lane-rooms.ts";
import { recipients } from "../../ledger/handlers/services/publish.ts";
import { batchMax, createPublisher } from "../../runtime/events/outbox/publisher.ts";
import type { DeliveryRecord, OutboxEventRecord, Store } from "../../runtime/store/ports/index.ts";
import { openSqliteStore } from "../bank-stores.ts";
import { idSource } from "../../runtime/operations/system/index.ts";
import { account, bank, insertParties, user } from "../store-contract/samples.ts";
import { notedVerbs } from "../noted-verbs.ts";
import { until } from "../until.ts";
import { accountUpdate, startMs, steppingClock, subscriptionTo } from "./delivery-harness.ts";
import { migratedFileForEachTest } from "./storage-folder.ts";
import {
  deliveryListing,
  laneEventsOfInstitution,
  userByName,
  users,
  outboxEvents,
  fullLaneByKey,
  deliveriesById,
  eventsOfLane,
  eventById,
  subscriptionById,
  subscriptionsByIds,
  cancellationOf,
} from "../../runtime/store/tables/index.ts";
import { insertSubscription, replaceSubscription } from "../../ledger/books/subscriptions.ts";
import { accounts } from "../../ledger/tables/index.ts";

const file = migratedFileForEachTest();
let store: Store;
let clock: ReturnType<typeof steppingClock>;
let mailed: string[] = [];
let happened = 0;
/** Deliveries inserted by each batch. */
let inserted: number[] = [];
/** What publishing asked the store. */
let asked: string[] = [];

beforeEach(async () => {
  store = await openSqliteStore({ file: file(), migrate: false });
  clock = steppingClock();
  [mailed, inserted, asked] = [[], [], []];
  await store.write(insertParties);
});
afterEach(() => store.close());

/** A publisher; nobody sends what it inserts. */
function publisher(waitingPerUserMax = 1_000_000) {
  const mailUser = async (_tx: unknown, userName: string) => void mailed.push(userName);
  const noting: Store = {
    ...store,
    write: (work, options) =>
      store.write((tx) => work(notedVerbs(tx, (question) => asked.push(question))), options),
  };
  const published = createPublisher({
    transactions: createClaimTransactions(noting, { clock, answerMsMax: 2_000 }),
    clock,
    ids: idSource(clock),
    rooms: createLaneRooms({ clock, waitingPerUserMax, mailUser }),
    claimCapacity: () => ({ claim: () => undefined }),
    recipients,
  });
  async function batch(): Promise<boolean> {
    const before = (await deliveries()).length;
    const { isMore } = await published.next();
    inserted.push((await deliveries()).length - before);
    return isMore;
  }
  async function untilIdle(): Promise<void> {
    for (let turns = 0; await batch(); turns += 1) expect(turns).toBeLessThan(100);
  }
  return { batch, untilIdle };
}

const deliveries = (): Promise<readonly DeliveryRecord[]> =>
  store.read((view) => view.page(deliveryListing({ institutionId: bank.id, limit: 100_000 })));
const laneEvents = (): Promise<number> => store.read((view) => view.count(laneEventsOfInstitution, bank.id));
const ofSubscription = async (id: string) =>
  (await deliveries()).filter(({ subscriptionId }) => subscriptionId === id);

async function subscribe(
  userName: string,
  count: number,
  { first = 0, ...fields }: { readonly ordered?: boolean; readonly first?: number } = {},
) {
  await store.write(async (tx) => {
    if ((await tx.one(userByName, userName)) === undefined) await tx.insert(users, { ...user, userName });
    for (let index = first; index < first + count; index += 1) {
      const id = `${userName}-${String(index).padStart(5, "0")}`;
      const made = subscriptionTo("https://hooks.example/", id, startMs);
      await insertSubscription(tx, { ...made, ...fields, userName });
    }
  });
}

async function happen(count: number, fields: Partial<OutboxEventRecord> = {}): Promise<void> {
  await store.write(async (tx) => {
    for (let index = 0; index < count; index += 1) {
      happened += 1;
      const id = `event-${String(happened).padStart(5, "0")}`;
      await tx.insert(outboxEvents, { ...accountUpdate(id, clock.now()), ...fields });
    }
  });
}

test("many subscriptions of one user are worked off in parts, and the other user's are not behind them", async () => {
  await subscribe("greedy", 700);
  await subscribe("modest", 1);
  await happen(5);
  const { batch, untilIdle } = publisher();
  expect(await batch()).toBe(true);
  expect(await ofSubscription("modest-00000")).toHaveLength(5);
  await publisher().untilIdle();
  expect(Math.max(...inserted)).toBeLessThanOrEqual(batchMax.subscriptions);
  expect(await deliveries()).toHaveLength(5 * 701);
  expect(await laneEvents()).toBe(0);
  await untilIdle();
  expect(await deliveries()).toHaveLength(5 * 701);
});

test("each subscription gets the events in their order, numbered without gaps", async () => {
  await subscribe("greedy", 150, { ordered: true });
  const { batch, untilIdle } = publisher();
  await happen(4);
  await batch();
  await happen(3);
  await batch();
  await happen(2);
  await untilIdle();
  for (const id of ["greedy-00000", "greedy-00077", "greedy-00149"]) {
    const own = (await ofSubscription(id)).toSorted((one, other) => one.sequence - other.sequence);
    expect(own.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(own.map(({ state }) => state)).toEqual(["PENDING", ...Array.from({ length: 8 }, () => "WAITING")]);
    const events = own.map(({ eventId }) => eventId);
    expect(events).toEqual(events.toSorted());
  }
});

test("more lanes than fit into a batch have their turns", async () => {
  const names = Array.from({ length: batchMax.lanes + 8 }, (_none, index) => `user-${100 + index}`);
  for (const name of names) await subscribe(name, 20);
  await happen(3);
  await publisher().untilIdle();
  expect(await deliveries()).toHaveLength(names.length * 20 * 3);
});

test("what waits has a limit for each user: beyond it their events stay in the lane, and one mail says so", async () => {
  await subscribe("greedy", 10);
  await subscribe("modest", 1);
  const { untilIdle } = publisher(25);
  await happen(6);
  await untilIdle();
  const waiting = (await deliveries()).filter(({ subscriptionId }) => subscriptionId.startsWith("greedy"));
  expect(waiting).toHaveLength(25);
  expect(await ofSubscription("modest-00000")).toHaveLength(6);
  expect(mailed).toEqual(["greedy"]);
  const noted = await store.read((view) => view.one(fullLaneByKey, "greedy"));
  expect(noted?.fullSince).toBe(clock.now());
  const backlog = await store.read((view) => readBacklog(view, bank.id));
  expect(backlog.usersAtLimit).toEqual({ count: 1, oldestAt: clock.now() });
  expect(backlog.laneEvents).toEqual({ count: 4, oldestAt: clock.now() });

  const delivered = waiting.slice(0, 20).map(({ id }) => id);
  await store.write((tx) => tx.update(deliveriesById, { state: "DELIVERED", dueAt: undefined }, delivered));
  clock.pass(60_000);
  await untilIdle();
  expect(await deliveries()).toHaveLength(25 + 20 + 6);
  const rest = (await deliveries()).filter(({ state }) => state !== "DELIVERED").map(({ id }) => id);
  await store.write((tx) => tx.update(deliveriesById, { state: "DELIVERED", dueAt: undefined }, rest));
  clock.pass(60_000);
  await untilIdle();
  expect(await deliveries()).toHaveLength(6 * 11);
  expect(mailed).toEqual(["greedy"]);
  expect((await store.read((view) => view.one(fullLaneByKey, "greedy")))?.fullSince).toBeUndefined();
});

test("what waits of a user at the limit is counted seldom, also while some of it arrives", async () => {
  const limit = 64;
  await subscribe("greedy", 10);
  const { untilIdle } = publisher(limit);
  await happen(20);
  await untilIdle();
  expect(await deliveries()).toHaveLength(limit);
  const counts = () => asked.filter((question) => question === "count deliveries").length;
  const before = counts();
  const arrive = async (count: number) => {
    const open = (await deliveries()).filter(({ state }) => state !== "DELIVERED").slice(0, count);
    const ids = open.map(({ id }) => id);
    await store.write((tx) => tx.update(deliveriesById, { state: "DELIVERED", dueAt: undefined }, ids));
  };
  const pass = async (times: number) => {
    for (let turn = 0; turn < times; turn += 1) {
      clock.pass(5_000);
      await untilIdle();
    }
  };
  // Too few to go on with.
  await arrive(3);
  await pass(24);
  expect(await deliveries()).toHaveLength(limit);
  expect(counts() - before).toBeLessThanOrEqual(6);
  await arrive(1);
  await pass(12);
  expect(await deliveries()).toHaveLength(limit + 4);
});

test("several processes exceed the limit of a user by what each adds between two counts, not by a multiple", async () => {
  const limit = 512;
  await subscribe("greedy", 1);
  const processes = Array.from({ length: 4 }, () => publisher(limit));
  for (const { untilIdle } of processes) {
    await happen(1);
    await untilIdle();
  }
  await subscribe("greedy", 300, { first: 1 });
  await happen(8);
  for (let isMore = true; isMore;) {
    isMore = false;
    for (const { batch } of processes) isMore = (await batch()) || isMore;
  }
  expect(await laneEvents()).toBeGreaterThan(0);
  expect((await deliveries()).length).toBeLessThanOrEqual(limit + 3 * 256);
});

test("an event that nobody wants leaves nothing behind, also once it has waited in a lane", async () => {
  await subscribe("greedy", 600);
  await happen(2, { name: "Unknown.EVENT" });
  const { batch, untilIdle } = publisher();
  await batch();
  const [waiting] = await store.read((view) => view.many(eventsOfLane, "greedy", 9));
  expect(waiting?.afterSubscriptionId).toBe("greedy-00255");
  await untilIdle();
  expect(await laneEvents()).toBe(0);
  expect(await store.read((view) => view.one(eventById, waiting?.eventId ?? ""))).toBeUndefined();
  expect(await deliveries()).toEqual([]);
});

test("a new account is announced once to each subscription of the customer, whatever accounts it has", async () => {
  const numbers = Array.from({ length: 30 }, (_none, index) => String(index + 10));
  await store.write(async (tx) => {
    for (const number of numbers) await tx.insert(accounts, { ...account, id: `a-${number}`, number });
    for (const id of ["x", "y", "deaf"]) {
      const made = subscriptionTo("https://hooks.example/", id, startMs);
      const events = id === "deaf" ? ["Account.UPDATE"] : made.events;
      await insertSubscription(tx, { ...made, events, groupId: numbers });
    }
  });
  await happen(1, { name: "Account.NEW", topics: ["999"] });
  await publisher().untilIdle();
  const told = (await deliveries()).map(({ subscriptionId, topics }) => [subscriptionId, ...topics]);
  expect(told.toSorted()).toEqual([
    ["x", "10", "999"],
    ["y", "10", "999"],
  ]);
});

test("a subscription that is handed over meanwhile loses no event", async () => {
  await subscribe("greedy", 600);
  await subscribe("heir", 1);
  await happen(2);
  const { batch, untilIdle } = publisher();
  await batch();
  await store.write(async (tx) => {
    const found = await tx.one(subscriptionById, bank.id, "greedy-00599");
    if (found !== undefined) await replaceSubscription(tx, { ...found, userName: "heir" });
  });
  await untilIdle();
  expect((await ofSubscription("greedy-00599")).map(({ sequence }) => sequence).toSorted()).toEqual([1, 2]);
});

test("what a revoked user was to be sent is cancelled in parts", async () => {
  await subscribe("greedy", 2);
  await happen(cancelledAtOnce - 50);
  await publisher().untilIdle();
  clock.pass(1);
  const ids = ["greedy-00000", "greedy-00001"];
  await store.write(async (tx) => {
    await tx.update(subscriptionsByIds, { generation: 1 }, bank.id, ids);
    const subscriptions = ids.map((id) => ({ id, institutionId: bank.id, generation: 1 }));
    await cancelAll(tx, subscriptions, "REVOKED", clock.now());
  });
  const cancelled = async () => (await deliveries()).filter(({ state }) => state === "CANCELLED");
  expect(await cancelled()).toHaveLength(cancelledAtOnce);
  clock.pass(1);
  await happen(1);
  await publisher().untilIdle();

  const failures: unknown[] = [];
  const cancelling = startCancelling({
    store,
    clock,
    onDue: () => undefined,
    onFailure: (error) => failures.push(error),
  });
  await until(async () => (await cancelled()).length === 2 * (cancelledAtOnce - 50));
  await cancelling.close();
  expect((await deliveries()).filter(({ state }) => state === "PENDING")).toHaveLength(2);
  expect(await store.read((view) => view.one(cancellationOf, "greedy-00001"))).toBeUndefined();
  expect(new Set((await cancelled()).map(({ cancelReason }) => cancelReason))).toEqual(new Set(["REVOKED"]));
  expect(failures).toEqual([]);
});
