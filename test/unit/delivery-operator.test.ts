import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { rotateServiceKeys, startEventDelivery, type EventDelivery } from "../../runtime/events/index.ts";
import { idSource, sealer } from "../../runtime/operations/system/index.ts";
import { startReceiver, type Receiver } from "../e2e/receiver.ts";
import { until } from "../until.ts";
import { openBank, type Answer, type Bank } from "./handlers-bank.ts";
import { openAccount, openBusiness } from "./handlers-people.ts";
import { allServiceKeys } from "../../runtime/store/tables/index.ts";

const hour = 60 * 60 * 1_000;
let bank: Bank;
let delivery: EventDelivery;
let receiver: Receiver;
let status = 204;
let pause: string | undefined;
let isSuspended = false;
let customerId = "";
let number = "";
let subscriptionId = "";

beforeEach(async () => {
  status = 204;
  pause = undefined;
  isSuspended = false;
  bank = await openBank({ httpCallbacks: true, callbackNetworksAllowed: ["127.0.0.0/8"] });
  receiver = await startReceiver((_request, response) => {
    if (pause !== undefined) response.setHeader("Retry-After", pause);
    response.writeHead(status).end("told");
  });
  delivery = await startEventDelivery({
    store: bank.store,
    clock: bank.clock,
    ids: idSource(bank.clock),
    sealer: sealer(new Uint8Array(32)),
    userAgent: "bank",
    isOnlyProcess: true,
    settings: {
      httpCallbacks: true,
      networksAllowed: ["127.0.0.0/8"],
      portsAllowed: [],
      concurrency: 64,
      originConcurrency: 8,
      timeoutMs: 15_000,
      waitingPerUserMax: 100_000,
      retentionDays: 30,
    },
    observer: {
      attempted: () => undefined,
      deadLetter: () => undefined,
      disabled: () => undefined,
      failed: (error) => {
        throw error;
      },
    },
  });
  ({ customerId } = await openBusiness(bank));
  number = (await openAccount(bank, customerId)).accountNumber;
  subscriptionId = await subscribe();
});
afterEach(async () => {
  await delivery.close(0);
  await receiver.close();
});

async function subscribe(by?: string): Promise<string> {
  const request = {
    name: "Treasury",
    callbackUrl: receiver.url,
    events: ["Account.UPDATE"],
    groupId: [number],
    remarks: "Feeds the desk",
  };
  const { result } = await bank.ledger("CreateSubscription", request, by);
  return result.subscriptionId;
}

/** Changes the account's status and lets the event go. */
async function happen(times = 1): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    isSuspended = !isSuspended;
    const answer = await bank.ledger("AccountService.UpdateAccountStatus", {
      accountNumber: number,
      status: isSuspended ? "SUSPENDED" : "ACTIVE",
    });
    expect(answer.error).toBeUndefined();
    bank.clock.advance(10);
  }
  delivery.pollOutbox();
}

const call = (method: string, payload: object, by?: string): Promise<Answer> =>
  bank.operator(method, payload, by);
async function ok(method: string, payload: object): Promise<Answer["result"]> {
  const { result, error } = await call(method, payload);
  expect(error).toBeUndefined();
  return result;
}
const list = async (query: object = {}): Promise<readonly Answer["result"][]> =>
  (await ok("ListDeliveries", query)).deliveries;
const settled = (state: string, count: number): Promise<void> =>
  until(async () => (await list({ state })).length === count);

describe("ListSubscriptions", () => {
  test("shows how deliveries go, and no secret", async () => {
    await happen(2);
    await settled("DELIVERED", 2);
    status = 500;
    await happen();
    await until(async () => (await list({ state: "PENDING" }))[0]?.attempts === 1);
    const { subscriptions, next } = await ok("ListSubscriptions", {});
    expect(next).toBeUndefined();
    expect(subscriptions).toEqual([
      {
        subscriptionId,
        userName: "teller",
        name: "Treasury",
        callbackUrl: receiver.url,
        events: ["Account.UPDATE"],
        groupId: [number],
        remarks: "Feeds the desk",
        enabled: true,
        ordered: false,
        createdDate: expect.any(String),
        updatedDate: expect.any(String),
        statistics: expect.objectContaining({
          delivered: 2,
          failedAttempts: 1,
          deadLetters: 0,
          pending: 1,
          waiting: 0,
          held: 0,
          lastFailure: "status",
          failingSince: expect.any(String),
        }),
      },
    ]);
  });

  test("comes in pages, of one institution", async () => {
    const more = [await subscribe(), await subscribe()];
    const first = await ok("ListSubscriptions", { pageSize: 2 });
    const second = await ok("ListSubscriptions", { pageSize: 2, after: first.next });
    const ids = [...first.subscriptions, ...second.subscriptions].map(
      (subscription: { subscriptionId: string }) => subscription.subscriptionId,
    );
    expect(ids.toSorted()).toEqual([subscriptionId, ...more].toSorted());
    expect(second.next).toBeUndefined();
    expect((await call("ListSubscriptions", {}, "other-operator")).result.subscriptions).toEqual([]);
    expect((await call("ListSubscriptions", { after: "bm90IGEgdG9rZW4" })).error).toMatchObject({
      code: "BAD_INPUT",
      data: { field: "/after", reason: "page-token" },
    });
  });

  test("holds what an operator bound to customers may see, and so does ListDeliveries", async () => {
    await bank.addUser({ userName: "branch", realm: "operator", groups: [customerId] });
    await bank.addUser({ userName: "narrow", groups: [customerId] });
    const own = await subscribe("narrow");
    await happen();
    await settled("DELIVERED", 2);
    const { subscriptions } = (await call("ListSubscriptions", {}, "branch")).result;
    expect(subscriptions).toEqual([expect.objectContaining({ subscriptionId: own })]);
    const { deliveries } = (await call("ListDeliveries", {}, "branch")).result;
    expect(deliveries).toEqual([expect.objectContaining({ subscriptionId: own })]);
  });
});

test("GetSubscription shows one as ListSubscriptions does, to those who may see it", async () => {
  await bank.addUser({ userName: "branch", realm: "operator", groups: [customerId] });
  const { subscriptions } = await ok("ListSubscriptions", {});
  expect(await ok("GetSubscription", { subscriptionId })).toEqual({ subscription: subscriptions[0] });
  for (const by of ["other-operator", "branch"]) {
    const { error } = await call("GetSubscription", { subscriptionId }, by);
    expect(error).toMatchObject({ code: "NOT_FOUND_SUBSCRIPTION", data: { field: "/subscriptionId" } });
  }
});

describe("an order ends the pause that the receiver asked for", () => {
  const orders: Readonly<Record<string, (deliveryId: string) => Promise<unknown>>> = {
    RedeliverOne: (deliveryId) => ok("RedeliverOne", { deliveryId }),
    RedeliverRange: () =>
      ok("RedeliverRange", {
        subscriptionId,
        from: new Date(bank.clock.now() - hour).toISOString(),
        to: new Date(bank.clock.now() + hour).toISOString(),
      }),
    "UpdateSubscription, enabled again": async () => {
      await ok("UpdateSubscription", { subscriptionId, enabled: false });
      await ok("UpdateSubscription", { subscriptionId, enabled: true, resume: true });
    },
    "UpdateSubscription, another address": () =>
      ok("UpdateSubscription", { subscriptionId, callbackUrl: `${receiver.url}/moved` }),
  };
  const pausedUntil = async () =>
    (await ok("GetSubscription", { subscriptionId })).subscription.statistics.pausedUntil;

  test.each(Object.entries(orders))("%s", async (_name, order) => {
    await happen();
    await settled("DELIVERED", 1);
    status = 503;
    pause = "3600";
    await happen();
    await until(async () => (await list({ state: "PENDING" }))[0]?.attempts === 1);
    const [failed] = await list({ state: "PENDING" });
    expect(await pausedUntil()).toBe(new Date(bank.clock.now() + hour).toISOString());
    status = 204;
    pause = undefined;
    await order(failed.deliveryId);
    delivery.claimDue();
    await receiver.until(3);
    expect(await pausedUntil()).toBeUndefined();
  });
});

describe("UpdateSubscription", () => {
  const update = (fields: object) => ok("UpdateSubscription", { subscriptionId, ...fields });

  test("disables, and enables again with what was missed or without", async () => {
    expect((await update({ enabled: false })).subscription).toMatchObject({
      enabled: false,
      disabledReason: "OPERATOR",
      disabledDate: expect.any(String),
    });
    const disabledDate = new Date(bank.clock.now()).toISOString();
    bank.clock.advance(1);
    expect((await update({ enabled: false })).subscription).toMatchObject({ disabledDate });
    await happen(2);
    await settled("HELD", 2);
    const enabled = await update({ enabled: true, resume: true });
    expect(enabled).toMatchObject({ resumed: 2, cancelled: 0, subscription: { enabled: true } });
    expect(enabled.subscription).not.toHaveProperty("disabledReason");
    delivery.claimDue();
    await receiver.until(2);
    await settled("DELIVERED", 2);

    await update({ enabled: false });
    await happen(3);
    await settled("HELD", 3);
    expect(await update({ enabled: true })).toMatchObject({ resumed: 0, cancelled: 3 });
    await happen();
    await receiver.until(3);
    expect(receiver.received.map(({ json }) => json.sequence)).toEqual([1, 2, 6]);
  });

  test("resumes the dead letters of an outage too, and none from before", async () => {
    status = 410;
    await happen();
    await settled("DEAD", 1);
    bank.clock.advance(hour);
    const [{ deliveryId: older }] = await list({ state: "DEAD" });
    expect(await update({ enabled: true })).toMatchObject({ resumed: 0, cancelled: 0 });
    bank.clock.advance(hour);
    await happen();
    await settled("DEAD", 2);
    expect((await ok("ListSubscriptions", {})).subscriptions[0]).toMatchObject({
      enabled: false,
      disabledReason: "GONE",
      statistics: { deadLetters: 2 },
    });
    await happen();
    await settled("HELD", 1);
    status = 204;
    const resumed = await update({ enabled: true, resume: true });
    expect(resumed).toMatchObject({ resumed: 2 });
    expect(resumed.subscription.statistics).not.toHaveProperty("failingSince");
    delivery.claimDue();
    await settled("DELIVERED", 2);
    expect((await list({ state: "DEAD" })).map(({ deliveryId }) => deliveryId)).toEqual([older]);
  });

  test("resumes what waits for another attempt", async () => {
    status = 500;
    await happen();
    await until(async () => (await list())[0]?.attempts === 1);
    await update({ enabled: false });
    status = 204;
    expect(await update({ enabled: true, resume: true })).toMatchObject({ resumed: 1 });
    delivery.claimDue();
    await settled("DELIVERED", 1);
  });

  test("gives another address, which is checked, and orders", async () => {
    const other = await startReceiver();
    const changed = await update({ callbackUrl: other.url, ordered: true });
    expect(changed.subscription).toMatchObject({ callbackUrl: other.url, ordered: true });
    await happen();
    await other.until(1);
    await other.close();
    expect(receiver.received).toEqual([]);
    for (const [callbackUrl, reason] of [
      ["ftp://hooks.example/", "format"],
      ["https://10.0.0.1/", "network"],
    ]) {
      expect((await call("UpdateSubscription", { subscriptionId, callbackUrl })).error).toMatchObject({
        code: "BAD_INPUT",
        data: { field: "/callbackUrl", reason },
      });
    }
  });
});

test("DeleteSubscription ends it; the log of its deliveries stays", async () => {
  await happen();
  await settled("DELIVERED", 1);
  status = 500;
  await happen();
  await until(async () => (await list({ state: "PENDING" }))[0]?.attempts === 1);
  await ok("UpdateSubscription", { subscriptionId, enabled: false });
  await happen();
  await settled("HELD", 1);
  expect(await ok("DeleteSubscription", { subscriptionId })).toEqual({ subscriptionId });
  expect((await ok("ListSubscriptions", {})).subscriptions).toEqual([]);
  expect((await list()).map(({ state }) => state)).toEqual(["CANCELLED", "CANCELLED", "DELIVERED"]);
  await happen();
  expect(await list()).toHaveLength(3);
  const [, , delivered] = await list();
  expect((await call("RedeliverOne", { deliveryId: delivered.deliveryId })).error).toMatchObject({
    code: "CONFLICT",
    data: { reason: "subscription-deleted" },
  });
});

describe("secrets", () => {
  test("are read, and rotated with an overlap", async () => {
    const before = await ok("GetSubscriptionSecret", { subscriptionId });
    expect(before).toEqual({ subscriptionId, secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/) });
    const rotated = await ok("RotateSubscriptionSecret", { subscriptionId, overlapSeconds: 60 });
    expect(rotated).toMatchObject({ formerSecret: before.secret });
    expect(rotated.secret).not.toBe(before.secret);
    expect(await ok("GetSubscriptionSecret", { subscriptionId })).toEqual(rotated);
    bank.clock.advance(60_000);
    expect(await ok("GetSubscriptionSecret", { subscriptionId })).toEqual({
      subscriptionId,
      secret: rotated.secret,
    });
  });

  test("overlap by a day unless told", async () => {
    const { formerSecretUntil } = await ok("RotateSubscriptionSecret", { subscriptionId });
    expect(Date.parse(formerSecretUntil)).toBe(bank.clock.now() + 24 * 3_600_000);
  });
});

test("SendTestEvent sends one that says it is a test, also to a disabled subscription", async () => {
  await ok("UpdateSubscription", { subscriptionId, enabled: false });
  const { deliveryId, eventId } = await ok("SendTestEvent", { subscriptionId });
  delivery.claimDue();
  const [sent] = await receiver.until(1);
  expect(sent?.json).toMatchObject({
    eventName: "Test",
    eventId,
    groupId: [],
    sequence: 0,
    source: "operator",
  });
  await settled("DELIVERED", 1);
  expect(await ok("GetDelivery", { deliveryId })).toMatchObject({
    delivery: { state: "DELIVERED", attempts: 1 },
    attemptsMade: [{ number: 1, status: 204, responseTruncated: false }],
  });
});

describe("deliveries", () => {
  test("are listed newest first and narrowed", async () => {
    await happen(3);
    await settled("DELIVERED", 3);
    const all = await list();
    expect(all.map(({ sequence }) => sequence)).toEqual([3, 2, 1]);
    const first = await ok("ListDeliveries", { pageSize: 2 });
    const rest = await ok("ListDeliveries", { pageSize: 2, after: first.next });
    expect([...first.deliveries, ...rest.deliveries]).toEqual(all);
    expect(rest.next).toBeUndefined();
    expect(await list({ subscriptionId: "other" })).toEqual([]);
    expect(await list({ accountNumber: number })).toHaveLength(3);
    expect(await list({ accountNumber: number.slice(1) })).toEqual([]);
    expect(await list({ eventId: all[1].eventId })).toEqual([all[1]]);
    expect(await list({ from: all[0].createdDate })).toEqual([all[0]]);
    expect(await list({ to: all[0].createdDate })).toEqual(all.slice(1));
    expect((await call("ListDeliveries", {}, "other-operator")).result.deliveries).toEqual([]);
  });

  test("are read with every attempt", async () => {
    status = 503;
    await happen();
    await until(async () => (await list())[0]?.attempts === 1);
    const [{ deliveryId }] = await list();
    const { delivery: one, attemptsMade, payload } = await ok("GetDelivery", { deliveryId });
    expect(one).toMatchObject({ state: "PENDING", nextAttemptDate: expect.any(String) });
    expect(attemptsMade).toEqual([
      {
        number: 1,
        startedDate: expect.any(String),
        durationMs: expect.any(Number),
        status: 503,
        failure: "status",
        detail: "503 Service Unavailable",
        response: "told",
        responseTruncated: false,
      },
    ]);
    expect(JSON.parse(payload)).toMatchObject({ number });
    for (const by of [undefined, "other-operator"]) {
      const id = by === undefined ? "unknown" : deliveryId;
      expect((await call("GetDelivery", { deliveryId: id }, by)).error?.code).toBe("NOT_FOUND_DELIVERY");
    }
  });

  test("are sent again, one or a range", async () => {
    await happen(3);
    await settled("DELIVERED", 3);
    const [{ deliveryId }] = await list();
    expect((await ok("RedeliverOne", { deliveryId })).delivery).toMatchObject({ state: "PENDING" });
    delivery.claimDue();
    await receiver.until(4);
    await settled("DELIVERED", 3);
    expect(receiver.received[3]?.json.eventId).toBe(receiver.received[2]?.json.eventId);
    expect((await ok("GetDelivery", { deliveryId })).attemptsMade).toHaveLength(2);

    const range = { subscriptionId, from: "2026-01-01T00:00:00.000Z", to: "2027-01-01T00:00:00.000Z" };
    expect(await ok("RedeliverRange", { ...range, deadLettersOnly: true })).toEqual({ queued: 0 });
    expect(await ok("RedeliverRange", range)).toEqual({ queued: 3 });
    delivery.claimDue();
    await receiver.until(7);
    await ok("UpdateSubscription", { subscriptionId, enabled: false });
    expect((await call("RedeliverRange", range)).error).toMatchObject({
      code: "CONFLICT",
      data: { reason: "subscription-disabled" },
    });
  });

  test("that are sent again have the whole schedule before them", async () => {
    status = 500;
    await happen();
    await until(async () => (await list())[0]?.attempts === 1);
    const [{ deliveryId }] = await list();
    for (let attempt = 2; attempt <= 3; attempt += 1) {
      await ok("RedeliverOne", { deliveryId });
      delivery.claimDue();
      await until(async () => (await list())[0]?.attempts === attempt);
    }
    const [{ nextAttemptDate }] = await list();
    expect(Date.parse(nextAttemptDate) - bank.clock.now()).toBeLessThanOrEqual(6_000);
  });

  test("that were given up are listed apart", async () => {
    status = 410;
    await happen();
    await settled("DEAD", 1);
    const { deliveries } = await ok("ListDeadLetters", { subscriptionId });
    expect(deliveries).toEqual([expect.objectContaining({ state: "DEAD", deadDate: expect.any(String) })]);
    expect((await ok("ListDeadLetters", { subscriptionId: "other" })).deliveries).toEqual([]);
  });
});

describe("the rotation of service keys", () => {
  const shown = async () => (await delivery.keys.keySet()).keys.map(({ kid }) => kid);
  const rotate = (algorithms?: readonly ["EdDSA"]) => {
    const parts = { sealer: sealer(new Uint8Array(32)), clock: bank.clock };
    return bank.store.write((store) => rotateServiceKeys({ ...parts, store }, algorithms));
  };

  test("shows new keys at once, signs with them later, and shows the former ones as long as they matter", async () => {
    const before = await shown();
    bank.clock.advance(hour);
    const signing = await delivery.keys.signing();
    expect(before).toHaveLength(2);
    const created = (await rotate()).map(({ key }) => key.keyId);
    expect((await shown()).toSorted()).toEqual([...before, ...created].toSorted());
    bank.clock.advance(5 * 60_000);
    expect(await delivery.keys.signing()).toEqual(signing);
    bank.clock.advance(6 * 60_000);
    const renewed = await delivery.keys.signing();
    expect(renewed.payloadKeyId).not.toBe(signing.payloadKeyId);
    expect(created).toContain(renewed.payloadKeyId);
    await happen();
    await receiver.until(1);
    bank.clock.advance(91 * hour);
    expect(await shown()).toHaveLength(4);
    bank.clock.advance(120 * hour);
    expect((await shown()).toSorted()).toEqual(created.toSorted());
    await rotate(["EdDSA"]);
    expect(await bank.store.read((view) => view.many(allServiceKeys))).toHaveLength(3);
  });
});

test.each([
  "UpdateSubscription",
  "DeleteSubscription",
  "GetSubscriptionSecret",
  "RotateSubscriptionSecret",
  "SendTestEvent",
  "RedeliverRange",
])("%s does not know a subscription of another institution", async (method) => {
  const range = { from: "2026-01-01T00:00:00.000Z", to: "2027-01-01T00:00:00.000Z" };
  const payload = {
    subscriptionId,
    ...(method === "UpdateSubscription" ? { enabled: false } : {}),
    ...(method === "RedeliverRange" ? range : {}),
  };
  for (const [by, id] of [
    ["other-operator", subscriptionId],
    ["operator", "unknown"],
  ] as const) {
    expect((await call(method, { ...payload, subscriptionId: id }, by)).error).toMatchObject({
      code: "NOT_FOUND_SUBSCRIPTION",
      message: "Subscription not found",
    });
  }
});
