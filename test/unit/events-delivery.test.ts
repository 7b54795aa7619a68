import { Webhook } from "standardwebhooks";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { testEventName } from "../../runtime/delivery/index.ts";
import { startReceiver, type Receiver, type Respond } from "../e2e/receiver.ts";
import { account, accountWith, bank, customer } from "../store-contract/samples.ts";
import { formerSecret, openRig, seal, secret, startMs, type Rig } from "./events-rig.ts";

const minute = 60_000;
const hour = 60 * minute;
let rig: Rig;
let receiver: Receiver;
let status = 204;
let headers: Readonly<Record<string, string>> = {};
const respond: Respond = (_request, response) => {
  response.writeHead(status, headers).end();
};

beforeEach(async () => {
  status = 204;
  headers = {};
  rig = await openRig();
  receiver = await startReceiver(respond);
});
afterEach(async () => {
  await rig.close();
  await receiver.close();
  expect(rig.failures).toEqual([]);
});

describe("a notification", () => {
  test("is verified by the published library, by the present secret and the former one", async () => {
    await rig.subscribe(receiver.url, {
      formerSecretSealed: seal.seal(formerSecret),
      formerSecretUntil: startMs + hour,
    });
    await rig.announce();
    const [sent] = await receiver.until(1);
    if (sent === undefined) throw new Error("nothing arrived");
    // The library takes the time from the machine: the clock of the rig stands elsewhere.
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
    await rig.subscribe(receiver.url, {
      formerSecretSealed: seal.seal(formerSecret),
      formerSecretUntil: startMs,
    });
    await rig.announce();
    const [sent] = await receiver.until(1);
    expect(sent?.headers["webhook-signature"]).toMatch(/^v1,\S+ v1a,\S+$/);
  });

  test("carries the payload byte for byte, keeps its names over retries, and changes its time", async () => {
    status = 500;
    await rig.subscribe(receiver.url);
    const payloadJson = `{"balance":1.10,"text":"a\\u0000 ü \\"payload\\":{}"}`;
    const eventId = await rig.announce({ payloadJson, createdAt: startMs - 5 });
    await rig.attempted(1);
    rig.clock.pass(6_000);
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
  beforeEach(() => rig.store.transact((tx) => tx.accounts.insert(other)));

  test("are those who hold a number on either side, once each, and see no other number", async () => {
    await rig.subscribe(receiver.url, { id: "debtor", groupId: [account.number] });
    await rig.subscribe(receiver.url, { id: "creditor", groupId: ["900"] });
    await rig.subscribe(receiver.url, { id: "both", groupId: ["900", account.number] });
    await rig.subscribe(receiver.url, { id: "neither", groupId: ["unknown"] });
    await rig.subscribe(receiver.url, { id: "other-kind", events: ["Account.NEW"] });
    await rig.announce({ name: "Transaction.NEW", accountNumbers: [account.number, "900"] });
    const sent = await events(3);
    const groups = Object.fromEntries(sent.map(({ subscriptionId, groupId }) => [subscriptionId, groupId]));
    expect(groups).toEqual({
      debtor: [account.number],
      creditor: ["900"],
      both: [account.number, "900"],
    });
    expect(await rig.deliveries()).toHaveLength(3);
  });

  test("of a new account are those who hold its pool, or any account of its customer", async () => {
    await rig.subscribe(receiver.url, { id: "pool", groupId: ["900"] });
    await rig.subscribe(receiver.url, { id: "customer", groupId: [account.number] });
    await rig.subscribe(receiver.url, { id: "stranger", groupId: ["unknown"] });
    await rig.announce({ name: "Account.NEW", accountNumbers: ["777", "900"], customerId: customer.id });
    const sent = await events(2);
    const groups = Object.fromEntries(sent.map(({ subscriptionId, groupId }) => [subscriptionId, groupId]));
    expect(groups).toEqual({ pool: ["900", "777"], customer: [account.number, "777"] });
    await rig.announce({ name: "Account.UPDATE", accountNumbers: ["777"], customerId: customer.id });
    await rig.until(async () => (await rig.store.read((view) => view.outboxEvents.list(1))).length === 0);
    expect(await rig.deliveries()).toHaveLength(2);
  });

  test("leave nothing behind where there are none", async () => {
    const eventId = await rig.announce();
    await rig.until(async () => (await rig.store.read((view) => view.outboxEvents.list(1))).length === 0);
    expect(await rig.store.read((view) => view.events.find(eventId))).toBeUndefined();
  });
});

describe("sequences", () => {
  test("grow by one for each account and subscription, whoever else is told", async () => {
    const numbers = ["1", "2", "3"];
    await rig.subscribe(receiver.url, { id: "all", groupId: numbers });
    await rig.subscribe(receiver.url, { id: "two", groupId: ["2"] });
    for (let index = 0; index < 60; index += 1) {
      void rig.announce({ accountNumbers: [numbers[(index * 7) % 3] ?? ""] });
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
    await rig.subscribe(receiver.url);
    await rig.announce();
    await rig.until(async () => (await rig.deliveries("DELIVERED")).length === 1);
    await rig.restart();
    await rig.announce();
    const sent = await receiver.until(2);
    expect(sent.map(({ json }) => json.sequence)).toEqual([1, 2]);
  });
});

describe("a failing endpoint", () => {
  test("is tried ten times over more than three days; then the delivery is a dead letter", async () => {
    status = 503;
    await rig.subscribe(receiver.url);
    await rig.announce();
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
      const { state, dueAt = 0, failures } = await rig.attempted(index + 1);
      expect([state, failures]).toEqual(["PENDING", index + 1]);
      expect(Math.abs(dueAt - rig.clock.now() - wait)).toBeLessThanOrEqual(wait * 0.2);
      rig.clock.pass(dueAt - rig.clock.now() - 1);
      rig.delivery.claimDue();
      expect(receiver.received).toHaveLength(index + 1);
      rig.clock.pass(1);
    }
    const dead = await rig.attempted(10);
    expect(dead).toMatchObject({ state: "DEAD", attempts: 10, diedAt: rig.clock.now() });
    expect(dead).not.toHaveProperty("dueAt");
    const attempts = await rig.store.read((view) => view.deliveryAttempts.of(dead.id));
    expect(attempts.map(({ number, status: sent, failure }) => [number, sent, failure])).toEqual(
      Array.from({ length: 10 }, (_, index) => [index + 1, 503, "status"]),
    );
    expect(
      (await rig.store.read((view) => view.subscriptions.find(bank.id, dead.subscriptionId)))?.enabled,
    ).toBe(true);
  });

  test("has its owner told after a day, and is given up after 120 hours; later events are held", async () => {
    status = 500;
    const id = await rig.subscribe(receiver.url);
    await rig.announce();
    await rig.attempted(1);
    rig.clock.pass(24 * hour - 1);
    await rig.until(async () => (await rig.only()).attempts === 2);
    expect(rig.mails).toEqual([]);
    rig.clock.pass(minute);
    await rig.until(() => rig.mails.length === 1);
    expect(rig.mails[0]).toMatchObject({
      kind: "endpoint-failing",
      to: "user@example.com",
      subscriptionName: "Treasury",
      failingSince: startMs,
      lastFailure: "status",
    });
    rig.clock.pass(96 * hour);
    await rig.until(() => rig.mails.length === 2);
    expect(rig.mails[1]).toMatchObject({ kind: "endpoint-given-up" });
    expect(rig.disabled).toEqual([`${id} FAILING`]);
    expect(await rig.store.read((view) => view.subscriptions.find(bank.id, id))).toMatchObject({
      enabled: false,
      disabledReason: "FAILING",
    });
    const before = receiver.received.length;
    await rig.announce();
    await rig.until(async () => (await rig.deliveries("HELD")).length >= 1);
    rig.clock.pass(48 * hour);
    await rig.until(async () => (await rig.deliveries("PENDING")).length === 0);
    expect(receiver.received).toHaveLength(before);
    expect(rig.mails).toHaveLength(2);
  });

  test("that recovers in time is forgiven", async () => {
    status = 500;
    const id = await rig.subscribe(receiver.url);
    await rig.announce();
    await rig.attempted(1);
    status = 200;
    rig.clock.pass(23 * hour);
    await rig.until(async () => (await rig.only()).state === "DELIVERED");
    const health = await rig.store.read((view) => view.endpointHealth.find(id));
    expect(health).toMatchObject({ delivered: 1, failedAttempts: 1, lastFailure: "status" });
    expect(health).not.toHaveProperty("failingSince");
    expect(health).not.toHaveProperty("reviewAt");
    const control = await startReceiver((_request, response) => void response.writeHead(500).end());
    const failing = await rig.subscribe(control.url);
    await rig.announce();
    await rig.until(
      async () => (await rig.store.read((view) => view.endpointHealth.find(failing))) !== undefined,
    );
    rig.clock.pass(200 * hour);
    await rig.until(() => rig.mails.length > 0);
    // Ends after the review that told the other owner.
    await rig.delivery.close(0);
    expect(rig.mails).toEqual([expect.objectContaining({ subscriptionId: failing })]);
    await control.close();
  });

  test("that answers 410 is disabled at once, its delivery a dead letter, its owner told", async () => {
    status = 410;
    const id = await rig.subscribe(receiver.url);
    await rig.announce();
    expect(await rig.attempted(1)).toMatchObject({ state: "DEAD" });
    await rig.until(() => rig.mails.length === 1);
    expect(rig.mails[0]).toMatchObject({ kind: "endpoint-gone" });
    expect(await rig.store.read((view) => view.subscriptions.find(bank.id, id))).toMatchObject({
      enabled: false,
      disabledReason: "GONE",
      disabledAt: startMs,
    });
  });

  test("that asks for a pause gets it, for all its deliveries", async () => {
    status = 429;
    headers = { "Retry-After": "3600" };
    await rig.subscribe(receiver.url);
    await rig.announce();
    const { dueAt } = await rig.attempted(1);
    expect(dueAt).toBe(startMs + hour);
    status = 200;
    await rig.announce();
    rig.clock.pass(hour - 1);
    await rig.claimRound();
    await rig.restart();
    await rig.claimRound();
    rig.clock.pass(2);
    const sentAt = (await receiver.until(3)).map((one) => Number(one.headers["webhook-timestamp"]) * 1_000);
    expect(sentAt).toEqual([startMs, startMs + hour, startMs + hour]);
  });
});

describe("plain http", () => {
  test("is not spoken outside the sandbox, even to an address that was taken before", async () => {
    await rig.restart({ settings: { httpCallbacks: false } });
    await rig.subscribe(receiver.url);
    await rig.announce();
    const { id } = await rig.attempted(1);
    const [attempt] = await rig.store.read((view) => view.deliveryAttempts.of(id));
    expect(attempt).toMatchObject({ failure: "refused-address" });
    expect(receiver.received).toEqual([]);
  });
});

describe("what is claimed ahead", () => {
  test("is given back when its endpoint turns slow, before the claims end", async () => {
    let isHanging = false;
    const slow = await startReceiver((_request, response) => {
      if (!isHanging) response.writeHead(204).end();
    });
    await rig.subscribe(slow.url);
    for (let index = 0; index < 10; index += 1) await rig.announce();
    await rig.until(async () => (await rig.deliveries("DELIVERED")).length === 10);
    isHanging = true;
    for (let index = 0; index < 60; index += 1) await rig.announce();
    const untouched = async () => (await rig.deliveries("PENDING")).filter(({ attempts }) => attempts === 0);
    await rig.until(
      async () => (await untouched()).filter(({ claimedBy }) => claimedBy !== undefined).length === 60,
    );
    // The window of an endpoint that took ten, then one at a time.
    for (const attempts of [10 + 32, 43, 44]) {
      await slow.until(attempts);
      rig.clock.pass(15_001);
    }
    await rig.until(
      async () => (await untouched()).filter(({ claimedBy }) => claimedBy !== undefined).length <= 1,
    );
    await slow.close();
  });
});

describe("test events", () => {
  test("are attempted once, also where the subscription is not enabled, and say nothing of its health", async () => {
    status = 500;
    const id = await rig.subscribe(receiver.url, {
      enabled: false,
      disabledReason: "OPERATOR",
      disabledAt: 1,
    });
    await rig.store.transact(async (tx) => {
      const event = {
        id: "test-event",
        institutionId: bank.id,
        name: testEventName,
        source: "operator",
        accountNumbers: [],
        customerId: "",
        payloadJson: "{}",
        createdAt: startMs,
        publishedAt: startMs,
      };
      await tx.events.insertAll([event]);
      const delivery = {
        id: "test-delivery",
        institutionId: bank.id,
        subscriptionId: id,
        eventId: "test-event",
        eventName: testEventName,
        accountNumbers: [],
        sequence: 0,
        state: "PENDING",
        attempts: 0,
        failures: 0,
        dueAt: startMs,
        createdAt: startMs,
      } as const;
      await tx.deliveries.insertAll([delivery]);
    });
    rig.delivery.claimDue();
    expect(await rig.attempted(1)).toMatchObject({ state: "CANCELLED", attempts: 1 });
    expect(receiver.received[0]?.json).toMatchObject({ eventName: "Test", groupId: [], sequence: 0 });
    expect(await rig.store.read((view) => view.endpointHealth.find(id))).toBeUndefined();
  });
});

describe("what nobody wants any more", () => {
  test("is cancelled when its subscription is gone, and held while it is not enabled", async () => {
    status = 500;
    const gone = await rig.subscribe(receiver.url);
    const paused = await rig.subscribe(receiver.url);
    await rig.announce();
    await rig.until(
      async () => (await rig.deliveries()).filter(({ attempts }) => attempts === 1).length === 2,
    );
    await rig.store.transact(async (tx) => {
      await tx.subscriptions.remove(bank.id, gone);
      const subscription = await tx.subscriptions.find(bank.id, paused);
      if (subscription !== undefined) await tx.subscriptions.replace({ ...subscription, enabled: false });
    });
    rig.clock.pass(minute);
    await rig.until(async () => (await rig.deliveries("PENDING")).length === 0);
    const states = (await rig.deliveries()).map(({ subscriptionId, state }) => [subscriptionId, state]);
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
    await rig.subscribe(receiver.url);
    status = 410;
    const dead = await rig.announce();
    await rig.attempted(1);
    const enabled = await rig.subscribe(receiver.url);
    status = 200;
    const arrived = await rig.announce({ accountNumbers: [account.number] });
    await rig.until(async () => (await rig.deliveries("DELIVERED")).length === 1);
    expect(enabled).toBeDefined();
    const [delivered] = await rig.deliveries("DELIVERED");
    rig.clock.pass(30 * 24 * hour + 1);
    await rig.until(async () => (await rig.deliveries("DELIVERED")).length === 0);
    await rig.store.read(async (view) => {
      expect(await view.deliveryAttempts.of(delivered?.id ?? "")).toEqual([]);
      expect(await view.events.find(dead)).toBeDefined();
      // Held by the subscription that is gone.
      expect(await view.events.find(arrived)).toBeDefined();
    });
    expect(await rig.deliveries("DEAD")).toHaveLength(1);
  });
});
