import { Webhook } from "standardwebhooks";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { testEventName } from "../../runtime/events/index.ts";
import { recoverFromSetBack } from "../../runtime/events/dispatch/due-poller.ts";
import { leaseOf } from "../../runtime/events/model/claim-transactions.ts";
import type { Store } from "../../runtime/store/ports/index.ts";
import { recordOutcomes } from "../../runtime/events/outcomes/record-outcomes.ts";
import { idSource } from "../../runtime/operations/system/index.ts";
import { startReceiver, type Receiver, type Respond } from "../e2e/receiver.ts";
import { account, accountWith, bank, customer, insertParties } from "../store-contract/samples.ts";
import { startEndpointMonitor } from "../../runtime/events/maintenance/endpoint-monitor.ts";
import { createMemoryStore } from "../bank-stores.ts";
import {
  accountUpdate,
  isFault,
  formerSecret,
  openHarness,
  seal,
  secret,
  startMs,
  steppingClock,
  type Harness,
} from "./delivery-harness.ts";
import { accounts } from "../../ledger/tables/index.ts";
import {
  oldestEvents,
  eventById,
  subscriptionById,
  healthOfSubscription,
  deliveryByKey,
  events as eventsTable,
  deliveries,
  deliveriesById,
} from "../../runtime/store/tables/index.ts";
import { lastAttemptsOf } from "../../runtime/events/model/stored-deliveries.ts";
import { replaceSubscription } from "../../ledger/books/subscriptions.ts";
import { removeSubscription } from "../../runtime/operations/admin/index.ts";

const minute = 60_000;
const hour = 60 * minute;
let harness: Harness;
let receiver: Receiver;
let status = 204;
let headers: Readonly<Record<string, string>> = {};
const respond: Respond = (_request, response) => {
  response.writeHead(status, headers).end();
};

beforeEach(async () => {
  status = 204;
  headers = {};
  harness = await openHarness();
  receiver = await startReceiver(respond);
});
afterEach(async () => {
  await harness.close();
  await receiver.close();
  expect(harness.failures.filter(isFault)).toEqual([]);
});

describe("a notification", () => {
  test("is verified by the published library, by the present secret and the former one", async () => {
    await harness.subscribe(receiver.url, {
      formerSecretSealed: seal.seal(formerSecret),
      formerSecretUntil: startMs + hour,
    });
    await harness.publish();
    const [sent] = await receiver.until(1);
    if (sent === undefined) throw new Error("nothing arrived");
    // The library takes the time from the machine: the clock of the harness stands elsewhere.
    const verify = (by: string): unknown => {
      const realNow = Date.now;
      Date.now = () => startMs;
      try {
        return new Webhook(by).verify(sent.body, { ...sent.headers });
      } finally {
        Date.now = realNow;
      }
    };
    expect(verify(secret)).toEqual(sent.json);
    expect(verify(formerSecret)).toEqual(sent.json);
    expect(() => verify(`whsec_${Buffer.alloc(32, 3).toString("base64")}`)).toThrow(/No matching signature/);
    expect(sent.headers["webhook-signature"]).toMatch(/^v1,\S+ v1,\S+ v1a,\S+$/);
  });

  test("is no longer signed with a secret whose time is over", async () => {
    await harness.subscribe(receiver.url, {
      formerSecretSealed: seal.seal(formerSecret),
      formerSecretUntil: startMs,
    });
    await harness.publish();
    const [sent] = await receiver.until(1);
    expect(sent?.headers["webhook-signature"]).toMatch(/^v1,\S+ v1a,\S+$/);
  });

  test("carries the payload byte for byte, keeps its names over retries, and changes its time", async () => {
    status = 500;
    await harness.subscribe(receiver.url);
    const payloadJson = `{"balance":1.10,"text":"a\\u0000 ü \\"payload\\":{}"}`;
    const eventId = await harness.publish({ payloadJson, createdAt: startMs - 5 });
    await harness.attempted(1);
    harness.clock.pass(6_000);
    const [first, second] = await receiver.until(2);
    expect(first?.body).toContain(`"payload":${payloadJson},"signature":"`);
    expect(first?.json).toMatchObject({
      eventId,
      timestamp: new Date(startMs - 5).toISOString(),
      sequence: 1,
    });
    expect(second?.json).toMatchObject({ eventId, sequence: 1 });
    expect(second?.headers["webhook-id"]).toBe(first?.headers["webhook-id"]);
    const times = [first, second].map((sent) => Number(sent?.headers["webhook-timestamp"]));
    expect(times).toEqual([startMs / 1_000, startMs / 1_000 + 6]);
  });
});

describe("recipients (D-40)", () => {
  const other = accountWith("account-9", { number: "900" });
  const events = async (count: number) => (await receiver.until(count)).map(({ json }) => json);
  beforeEach(() => harness.store.write((tx) => tx.insert(accounts, other)));

  test("are those who hold a number on either side, once each, and see no other number", async () => {
    await harness.subscribe(receiver.url, { id: "debtor", groupId: [account.number] });
    await harness.subscribe(receiver.url, { id: "creditor", groupId: ["900"] });
    await harness.subscribe(receiver.url, { id: "both", groupId: ["900", account.number] });
    await harness.subscribe(receiver.url, { id: "neither", groupId: ["unknown"] });
    await harness.subscribe(receiver.url, { id: "other-kind", events: ["Account.NEW"] });
    await harness.publish({ name: "Transaction.NEW", topics: [account.number, "900"] });
    const sent = await events(3);
    const groups = Object.fromEntries(sent.map(({ subscriptionId, groupId }) => [subscriptionId, groupId]));
    expect(groups).toEqual({
      debtor: [account.number],
      creditor: ["900"],
      both: [account.number, "900"],
    });
    expect(await harness.deliveries()).toHaveLength(3);
  });

  test("of a new account are those who hold its pool, or any account of its customer", async () => {
    await harness.subscribe(receiver.url, { id: "pool", groupId: ["900"] });
    await harness.subscribe(receiver.url, { id: "customer", groupId: [account.number] });
    await harness.subscribe(receiver.url, { id: "stranger", groupId: ["unknown"] });
    await harness.publish({ name: "Account.NEW", topics: ["777", "900"], group: customer.id });
    const sent = await events(2);
    const groups = Object.fromEntries(sent.map(({ subscriptionId, groupId }) => [subscriptionId, groupId]));
    expect(groups).toEqual({ pool: ["900", "777"], customer: [account.number, "777"] });
    await harness.publish({ name: "Account.UPDATE", topics: ["777"], group: customer.id });
    await harness.until(
      async () => (await harness.store.read((view) => view.many(oldestEvents, 1))).length === 0,
    );
    expect(await harness.deliveries()).toHaveLength(2);
  });

  test("leave nothing behind where there are none", async () => {
    const eventId = await harness.publish();
    await harness.until(
      async () => (await harness.store.read((view) => view.many(oldestEvents, 1))).length === 0,
    );
    expect(await harness.store.read((view) => view.one(eventById, eventId))).toBeUndefined();
  });
});

describe("sequences", () => {
  test("grow by one for each account and subscription, whoever else is told", async () => {
    const numbers = ["1", "2", "3"];
    await harness.subscribe(receiver.url, { id: "all", groupId: numbers });
    await harness.subscribe(receiver.url, { id: "two", groupId: ["2"] });
    for (let index = 0; index < 60; index += 1) {
      void harness.publish({ topics: [numbers[(index * 7) % 3] ?? ""] });
      if (index % 10 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    const sent = await receiver.until(80);
    for (const [subscription, number] of [
      ["all", "1"],
      ["all", "2"],
      ["all", "3"],
      ["two", "2"],
    ]) {
      const sequences = sent
        .filter(({ json }) => json.subscriptionId === subscription && json.groupId[0] === number)
        .map(({ json }) => json.sequence)
        .toSorted((a, b) => a - b);
      expect(sequences).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
    }
  });

  test("go on after a restart", async () => {
    await harness.subscribe(receiver.url);
    await harness.publish();
    await harness.until(async () => (await harness.deliveries("DELIVERED")).length === 1);
    await harness.restart();
    await harness.publish();
    const sent = await receiver.until(2);
    expect(sent.map(({ json }) => json.sequence)).toEqual([1, 2]);
  });
});

describe("a failing endpoint", () => {
  test("is tried ten times over more than three days; then the delivery is a dead letter", async () => {
    status = 503;
    await harness.subscribe(receiver.url);
    await harness.publish();
    const waits = [
      5_000,
      5 * minute,
      30 * minute,
      2 * hour,
      5 * hour,
      10 * hour,
      14 * hour,
      20 * hour,
      24 * hour,
    ];
    for (const [index, wait] of waits.entries()) {
      const { state, dueAt = 0, failures } = await harness.attempted(index + 1);
      expect([state, failures]).toEqual(["PENDING", index + 1]);
      expect(Math.abs(dueAt - harness.clock.now() - wait)).toBeLessThanOrEqual(wait * 0.2);
      harness.clock.pass(dueAt - harness.clock.now() - 1);
      await harness.claimRound();
      expect(receiver.received).toHaveLength(index + 1);
      harness.clock.pass(1);
    }
    const dead = await harness.attempted(10);
    expect(dead).toMatchObject({ state: "DEAD", attempts: 10, diedAt: harness.clock.now() });
    expect(dead).not.toHaveProperty("dueAt");
    const attempts = await harness.store.read((view) => lastAttemptsOf(view, dead.id));
    expect(attempts.map(({ number, status: sent, failure }) => [number, sent, failure])).toEqual(
      Array.from({ length: 10 }, (_, index) => [index + 1, 503, "status"]),
    );
    expect(
      (await harness.store.read((view) => view.one(subscriptionById, bank.id, dead.subscriptionId)))?.enabled,
    ).toBe(true);
  });

  test("has its owner told after a day, and is given up after 120 hours; later events are held", async () => {
    status = 500;
    const id = await harness.subscribe(receiver.url);
    await harness.publish();
    await harness.attempted(1);
    harness.clock.pass(24 * hour - 1);
    await harness.until(async () => (await harness.only()).attempts === 2);
    expect(harness.mails).toEqual([]);
    harness.clock.pass(minute);
    await harness.until(() => harness.mails.length === 1);
    expect(harness.mails[0]).toMatchObject({
      kind: "endpoint-failing",
      to: "user@example.com",
      subscriptionName: "Treasury",
      failingSince: startMs,
      lastFailure: "status",
    });
    harness.clock.pass(96 * hour);
    await harness.until(() => harness.mails.length === 2);
    expect(harness.mails[1]).toMatchObject({ kind: "endpoint-given-up" });
    expect(harness.disabled).toEqual([`${id} FAILING`]);
    expect(await harness.store.read((view) => view.one(subscriptionById, bank.id, id))).toMatchObject({
      enabled: false,
      disabledReason: "FAILING",
    });
    const before = receiver.received.length;
    await harness.publish();
    await harness.until(async () => (await harness.deliveries("HELD")).length >= 1);
    harness.clock.pass(48 * hour);
    await harness.until(async () => (await harness.deliveries("PENDING")).length === 0);
    expect(receiver.received).toHaveLength(before);
    expect(harness.mails).toHaveLength(2);
  });

  test("that recovers in time is forgiven", async () => {
    status = 500;
    const id = await harness.subscribe(receiver.url);
    await harness.publish();
    await harness.attempted(1);
    status = 200;
    harness.clock.pass(23 * hour);
    await harness.until(async () => (await harness.only()).state === "DELIVERED");
    const health = await harness.store.read((view) => view.one(healthOfSubscription, id));
    expect(health).toMatchObject({ delivered: 1, failedAttempts: 1, lastFailure: "status" });
    expect(health).not.toHaveProperty("failingSince");
    expect(health).not.toHaveProperty("reviewAt");
    const control = await startReceiver((_request, response) => void response.writeHead(500).end());
    const failing = await harness.subscribe(control.url);
    await harness.publish();
    await harness.until(
      async () => (await harness.store.read((view) => view.one(healthOfSubscription, failing))) !== undefined,
    );
    harness.clock.pass(200 * hour);
    await harness.until(() => harness.mails.length > 0);
    // Ends after the review that told the other owner.
    await harness.delivery.close(0);
    expect(harness.mails).toEqual([expect.objectContaining({ subscriptionId: failing })]);
    await control.close();
  });

  test("that answers 410 is disabled at once, its delivery a dead letter, its owner told", async () => {
    status = 410;
    const id = await harness.subscribe(receiver.url);
    await harness.publish();
    expect(await harness.attempted(1)).toMatchObject({ state: "DEAD" });
    await harness.until(() => harness.mails.length === 1);
    expect(harness.mails[0]).toMatchObject({ kind: "endpoint-gone" });
    expect(await harness.store.read((view) => view.one(subscriptionById, bank.id, id))).toMatchObject({
      enabled: false,
      disabledReason: "GONE",
      disabledAt: startMs,
    });
  });

  test("that asks for a pause gets it, for all its deliveries", async () => {
    status = 429;
    headers = { "Retry-After": "3600" };
    await harness.subscribe(receiver.url);
    await harness.publish();
    const { dueAt } = await harness.attempted(1);
    expect(dueAt).toBe(startMs + hour);
    status = 200;
    await harness.publish();
    harness.clock.pass(hour - 1);
    await harness.claimRound();
    await harness.restart();
    await harness.claimRound();
    harness.clock.pass(2);
    const sentAt = (await receiver.until(3)).map((one) => Number(one.headers["webhook-timestamp"]) * 1_000);
    expect(sentAt).toEqual([startMs, startMs + hour, startMs + hour]);
  });

  test.each(["9999999999", "Fri, 31 Dec 9999 23:59:59 GMT"])(
    "%j pauses for a day, no longer",
    async (asked) => {
      status = 429;
      headers = { "Retry-After": asked };
      await harness.subscribe(receiver.url);
      await harness.publish();
      expect(await harness.attempted(1)).toMatchObject({ dueAt: startMs + 24 * hour });
      status = 200;
      await harness.publish();
      harness.clock.pass(24 * hour + 1);
      await receiver.until(3);
    },
  );
});

describe("a clock that is set back", () => {
  beforeEach(async () => {
    status = 503;
    await harness.subscribe(receiver.url);
  });

  test.each([{}, { "Retry-After": "3600" }])("prolongs no wait for a retry (%#)", async (asked) => {
    headers = asked;
    await harness.publish();
    await harness.attempted(1);
    harness.clock.setBack(3 * hour);
    status = 204;
    harness.clock.pass(1_000);
    expect(await harness.attempted(2)).toMatchObject({ state: "DELIVERED" });
  });

  test("prolongs none while the service does not run, either", async () => {
    await harness.publish();
    await harness.attempted(1);
    await harness.delivery.close(0);
    harness.clock.setBack(3 * hour);
    status = 204;
    await harness.restart();
    expect(await harness.attempted(2)).toMatchObject({ state: "DELIVERED" });
  });

  test("prolongs no claim of a process that is gone", async () => {
    await harness.publish();
    const { id } = await harness.attempted(1);
    const gone = { claimedBy: "gone", dueAt: startMs + 60_000 };
    await harness.store.write((tx) => tx.update(deliveryByKey, gone, id));
    harness.clock.setBack(3 * hour);
    status = 204;
    harness.clock.pass(1_000);
    expect(await harness.attempted(2)).toMatchObject({ state: "DELIVERED" });
  });

  test.each([
    ["that did not fail", { failures: 0 }],
    ["that failed before another one arrived", { failures: 1 }],
  ])("prolongs no wait of one %s, where the endpoint works", async (_name, changes) => {
    await harness.publish();
    const { id } = await harness.attempted(1);
    // As it is stored while the clock is 400 days ahead.
    const dueAt = startMs + 400 * 24 * hour;
    await harness.store.write((tx) => tx.update(deliveryByKey, { ...changes, dueAt }, id));
    status = 204;
    await harness.restart();
    await harness.until(async () => (await harness.only()).state === "DELIVERED");
  });

  test("prolongs none of thousands, a thousand in a transaction", async () => {
    await harness.publish();
    const one = await harness.attempted(1);
    await harness.delivery.close(0);
    const dueAt = startMs + 400 * 24 * hour;
    const many = Array.from({ length: 2_500 }, (_, index) => ({
      ...one,
      id: `d${index}`,
      eventId: `e${index}`,
      dueAt,
    }));
    await harness.store.write(async (tx) => {
      const event = await tx.one(eventById, one.eventId);
      if (event === undefined) throw new Error("the event is missing");
      await tx.insert(eventsTable, ...many.map(({ eventId }) => ({ ...event, id: eventId })));
      await tx.insert(deliveries, ...many);
    });
    const parts: number[] = [];
    const lease = leaseOf("me", 15_000);
    const store: Store = {
      ...harness.store,
      write: (work, options) =>
        harness.store.write(
          (tx) =>
            work({
              ...tx,
              update: (query, changes, ...values) => {
                const [ids] = values;
                if (query === Object(deliveriesById) && Array.isArray(ids)) parts.push(ids.length);
                return tx.update(query, changes, ...values);
              },
            }),
          options,
        ),
    };
    await recoverFromSetBack(store, [one], lease, startMs);
    expect(parts).toEqual([1_000, 1_000, 500]);
  });

  test("begins the time that an endpoint has been failing for anew, and shortens no wait", async () => {
    await harness.publish();
    const { subscriptionId } = await harness.attempted(1);
    harness.clock.setBack(3 * hour);
    harness.clock.pass(1_000);
    const { dueAt } = await harness.attempted(2);
    const health = await harness.store.read((view) => view.one(healthOfSubscription, subscriptionId));
    expect(health?.failingSince).toBe(harness.clock.now());
    expect(health?.reviewAt).toBe(harness.clock.now() + 24 * hour);
    harness.clock.setBack(30_000);
    harness.clock.pass(1_000);
    await harness.claimRound();
    expect(await harness.only()).toMatchObject({ attempts: 2, dueAt });
    await harness.restart();
    await harness.claimRound();
    expect(await harness.only()).toMatchObject({ attempts: 2, dueAt });
  });
});

describe("plain http", () => {
  test("is not spoken outside the sandbox, even to an address that was taken before", async () => {
    await harness.restart({ settings: { httpCallbacks: false } });
    await harness.subscribe(receiver.url);
    await harness.publish();
    const { id } = await harness.attempted(1);
    const [attempt] = await harness.store.read((view) => lastAttemptsOf(view, id));
    expect(attempt).toMatchObject({ failure: "refused-address" });
    expect(receiver.received).toEqual([]);
  });
});

describe("an attempt whose claim ended unnoticed, as where the clock was set ahead", () => {
  test("is not recorded beside the one that this process made since, and holds no other up", async () => {
    status = 500;
    await harness.subscribe(receiver.url);
    await harness.publish();
    const delivery = await harness.attempted(1);
    const again = { claimedBy: "this process", dueAt: startMs + hour };
    await harness.store.write((tx) => tx.update(deliveryByKey, again, delivery.id));
    const outcome = { startedAt: startMs, durationMs: 9, status: 500, failure: "status" } as const;
    const record = (attempts: number) =>
      harness.store.write((tx) =>
        recordOutcomes(
          tx,
          [
            {
              kind: "attempted",
              delivery: { ...delivery, ...again, attempts },
              callbackUrl: receiver.url,
              outcome: { ...outcome, responseTruncated: false },
            },
          ],
          {
            ids: idSource(harness.clock),
            sealer: seal,
            nowMs: startMs,
          },
        ),
      );
    expect((await record(0)).nextDueAt).toBe(Infinity);
    expect(await harness.only()).toMatchObject({ attempts: 1, ...again });
    await record(1);
    expect(await harness.only()).toMatchObject({ attempts: 2, state: "PENDING" });
  });
});

describe("what is claimed ahead", () => {
  test("is given back when its endpoint turns slow, before the claims end", async () => {
    let isHanging = false;
    const slow = await startReceiver((_request, response) => {
      if (!isHanging) response.writeHead(204).end();
    });
    await harness.subscribe(slow.url);
    for (let index = 0; index < 10; index += 1) await harness.publish();
    await harness.until(async () => (await harness.deliveries("DELIVERED")).length === 10);
    isHanging = true;
    for (let index = 0; index < 60; index += 1) await harness.publish();
    const untouched = async () =>
      (await harness.deliveries("PENDING")).filter(({ attempts }) => attempts === 0);
    await harness.until(
      async () => (await untouched()).filter(({ claimedBy }) => claimedBy !== undefined).length === 60,
    );
    // The window of an endpoint that took ten, then one at a time.
    for (const attempts of [10 + 32, 43, 44]) {
      await slow.until(attempts);
      harness.clock.pass(15_001);
    }
    await harness.until(
      async () => (await untouched()).filter(({ claimedBy }) => claimedBy !== undefined).length <= 1,
    );
    await slow.close();
  });
});

describe("test events", () => {
  test("are attempted once, also where the subscription is not enabled, and say nothing of its health", async () => {
    status = 500;
    const id = await harness.subscribe(receiver.url, {
      enabled: false,
      disabledReason: "OPERATOR",
      disabledAt: 1,
    });
    await harness.store.write(async (tx) => {
      const event = {
        id: "test-event",
        institutionId: bank.id,
        name: testEventName,
        source: "operator",
        topics: [],
        payloadJson: "{}",
        createdAt: startMs,
        publishedAt: startMs,
      };
      await tx.insert(eventsTable, event);
      const delivery = {
        id: "test-delivery",
        institutionId: bank.id,
        subscriptionId: id,
        eventId: "test-event",
        eventName: testEventName,
        topics: [],
        sequence: 0,
        generation: 0,
        state: "PENDING",
        attempts: 0,
        failures: 0,
        dueAt: startMs,
        createdAt: startMs,
      } as const;
      await tx.insert(deliveries, delivery);
    });
    harness.delivery.claimDue();
    expect(await harness.attempted(1)).toMatchObject({ state: "CANCELLED", attempts: 1 });
    expect(receiver.received[0]?.json).toMatchObject({ eventName: "Test", groupId: [], sequence: 0 });
    expect(await harness.store.read((view) => view.one(healthOfSubscription, id))).toBeUndefined();
  });
});

describe("what nobody wants any more", () => {
  test("is cancelled when its subscription is gone, and held while it is not enabled", async () => {
    status = 500;
    const gone = await harness.subscribe(receiver.url);
    const paused = await harness.subscribe(receiver.url);
    await harness.publish();
    await harness.until(
      async () => (await harness.deliveries()).filter(({ attempts }) => attempts === 1).length === 2,
    );
    await harness.store.write(async (tx) => {
      await removeSubscription(tx, bank.id, gone);
      const subscription = await tx.one(subscriptionById, bank.id, paused);
      if (subscription !== undefined) await replaceSubscription(tx, { ...subscription, enabled: false });
    });
    harness.clock.pass(minute);
    await harness.until(async () => (await harness.deliveries("PENDING")).length === 0);
    const states = (await harness.deliveries()).map(({ subscriptionId, state }) => [subscriptionId, state]);
    expect(new Map(states.map(([id, state]) => [id, state]))).toEqual(
      new Map([
        [gone, "CANCELLED"],
        [paused, "HELD"],
      ]),
    );
    expect(receiver.received).toHaveLength(2);
  });
});

describe("retention", () => {
  test("removes what arrived long ago with its attempts and its event; dead letters stay", async () => {
    await harness.subscribe(receiver.url);
    status = 410;
    const dead = await harness.publish();
    await harness.attempted(1);
    const enabled = await harness.subscribe(receiver.url);
    status = 200;
    const arrived = await harness.publish({ topics: [account.number] });
    await harness.until(async () => (await harness.deliveries("DELIVERED")).length === 1);
    expect(enabled).toBeDefined();
    const [delivered] = await harness.deliveries("DELIVERED");
    harness.clock.pass(30 * 24 * hour + 1);
    await harness.until(async () => (await harness.deliveries("DELIVERED")).length === 0);
    await harness.store.read(async (view) => {
      expect(await lastAttemptsOf(view, delivered?.id ?? "")).toEqual([]);
      expect(await view.one(eventById, dead)).toBeDefined();
      // Held by the subscription that is gone.
      expect(await view.one(eventById, arrived)).toBeDefined();
    });
    expect(await harness.deliveries("DEAD")).toHaveLength(1);
  });

  test("passes over dead letters once a day, and then finds what was sent again since", async () => {
    const store = createMemoryStore();
    const clock = steppingClock();
    const looked: string[] = [];
    await store.write(async (tx) => {
      await insertParties(tx);
      const { id, ...event } = accountUpdate("e", clock.now());
      for (let index = 0; index < 450; index += 1) {
        const eventId = `${id}${index}`;
        await tx.insert(eventsTable, { ...event, id: eventId, publishedAt: event.createdAt });
        await tx.insert(deliveries, {
          id: `d${index}`,
          eventId,
          institutionId: bank.id,
          subscriptionId: "s",
          eventName: event.name,
          topics: event.topics,
          sequence: index,
          state: "DEAD",
          attempts: 9,
          failures: 9,
          generation: 0,
          diedAt: clock.now(),
          createdAt: clock.now() + index,
        });
      }
    });
    const monitor = startEndpointMonitor({
      store: {
        ...store,
        read: (work) =>
          store.read((view) =>
            work({
              ...view,
              many: async (query, ...values) => {
                const found = await view.many(query, ...values);
                if (query.table === deliveries && values[0] === bank.id) looked.push(`${found.length}`);
                return found;
              },
            }),
          ),
      },
      clock,
      ids: idSource(clock),
      sealer: seal,
      retentionDays: 30,
      onMail: () => undefined,
      onDisabled: () => undefined,
      onFailure: (error) => {
        throw error;
      },
    });
    /** Lets time pass until a further round has looked at all that it looks at. */
    const round = async (): Promise<readonly string[]> => {
      const before = looked.length;
      await harness.until(() => {
        if (looked.length === before) clock.pass(60_000);
        return looked.length > before && looked.at(-1) !== "200";
      });
      return looked.slice(before);
    };
    await harness.until(() => looked.length === 1);
    clock.pass(30 * 24 * hour);
    expect(await round()).toEqual(["200", "200", "50"]);
    await store.write((tx) => tx.update(deliveryByKey, { state: "DELIVERED", diedAt: undefined }, "d7"));
    expect(await round()).toEqual(["0"]);
    clock.pass(24 * hour);
    expect(await round()).toEqual(["200", "200", "50"]);
    await monitor.close();
    expect(await store.read((view) => view.one(deliveryByKey, "d7"))).toBeUndefined();
    expect(await store.read((view) => view.one(deliveryByKey, "d8"))).toBeDefined();
  });
});
