import { once } from "node:events";
import { createServer } from "node:http";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { webhooks } from "../../generated/ledger/client/webhooks.ts";
import { ledgerInterface } from "../../generated/ledger/methods.ts";
import { createServiceKeys } from "../../runtime/events/signing/service-keys.ts";
import { sealer } from "../../runtime/operations/system/index.ts";
import { northwind } from "./handlers-people.ts";
import { firstBank, openBank, publicKeyPem, type Answer, type Bank } from "./handlers-bank.ts";
import { subscriptionById, topicsOfSubscription } from "../../runtime/store/tables/index.ts";

let bank: Bank;
let accountNumber: string;

beforeEach(async () => {
  bank = await openBank();
  await bank.addUser({ userName: "clerk" });
  const { result: customer } = await bank.operator("CreateCustomer", northwind);
  const account = { customerID: customer.customerId, name: "Desk", accountType: "CHECKING", currency: "USD" };
  accountNumber = (await bank.ledger("CustomerService.AddAccount", account)).result.accountNumber;
});

async function subscribe(name: string, by = "teller"): Promise<string> {
  const callbackUrl = "https://hooks.northwind.example/ledger";
  const wanted = { name, callbackUrl, events: ["Account.UPDATE"], groupId: [accountNumber] };
  bank.clock.advance(1);
  return (await bank.ledger("CreateSubscription", wanted, by)).result.subscriptionId;
}

async function ok(method: string, payload: object, by?: string): Promise<Answer["result"]> {
  const { result, error } = await bank.partner(method, payload, by);
  expect(error).toBeUndefined();
  return result;
}

describe("the partner's interface", () => {
  test("lists the caller's own subscriptions, page by page", async () => {
    const own = [await subscribe("One"), await subscribe("Two"), await subscribe("Three")];
    await subscribe("Another's", "clerk");
    const first = await ok("ListSubscriptions", { pageSize: 2 });
    const rest = await ok("ListSubscriptions", { pageSize: 2, after: first.next });
    const listed: readonly { subscriptionId: string }[] = [...first.subscriptions, ...rest.subscriptions];
    expect(listed.map(({ subscriptionId }) => subscriptionId)).toEqual(own);
    expect(rest.next).toBeUndefined();
    expect(await ok("ListSubscriptions", { pageSize: 3 })).toEqual({ subscriptions: listed });
    expect((await ok("ListSubscriptions", {}, "other-teller")).subscriptions).toEqual([]);
    expect((await bank.partner("ListSubscriptions", { after: "bm90IGEgdG9rZW4" })).error?.code).toBe(
      "BAD_INPUT",
    );
  });

  test("makes a subscription of the caller's own accounts", async () => {
    const wanted = {
      name: "Mine",
      callbackUrl: "https://hooks.northwind.example/x",
      events: ["Account.NEW"],
    };
    const { subscriptionId } = await ok("CreateSubscription", { ...wanted, groupId: [accountNumber] });
    expect((await ok("ListSubscriptions", {})).subscriptions).toMatchObject([
      { ...wanted, subscriptionId, userName: "teller", groupId: [accountNumber], enabled: true },
    ]);
    const noted = await bank.store.read((view) => view.one(subscriptionById, firstBank, subscriptionId));
    expect(noted?.revision, "its events come in the words that it named them in").toBe(
      ledgerInterface.revision,
    );
    const refused = async (change: object) =>
      (await bank.partner("CreateSubscription", { ...wanted, groupId: [accountNumber], ...change })).error;
    expect(await refused({ groupId: ["900000000001949"] })).toMatchObject({ code: "NOT_FOUND_ACCOUNT" });
    expect(await refused({ callbackUrl: "https://10.0.0.1/" })).toMatchObject({ code: "BAD_INPUT" });
  });

  test("disables a subscription and enables it again, but not one that the operator has disabled", async () => {
    const subscriptionId = await subscribe("One");
    const off = await ok("UpdateSubscription", { subscriptionId, enabled: false });
    expect(off.subscription).toMatchObject({ enabled: false, disabledReason: "SUBSCRIBER" });
    expect((await ok("GetSubscription", { subscriptionId })).subscription).toEqual(off.subscription);
    bank.clock.advance(1);
    expect((await ok("UpdateSubscription", { subscriptionId, enabled: false })).subscription).toEqual(
      off.subscription,
    );
    const on = await ok("UpdateSubscription", { subscriptionId, enabled: true });
    expect(on.subscription).toMatchObject({ enabled: true });
    expect(on.subscription).not.toHaveProperty("disabledReason");
    await bank.operator("UpdateSubscription", { subscriptionId, enabled: false });
    expect((await bank.partner("UpdateSubscription", { subscriptionId, enabled: true })).error).toMatchObject(
      {
        code: "CONFLICT",
        data: { reason: "disabled-by-operator" },
      },
    );
    const still = await ok("UpdateSubscription", { subscriptionId, enabled: false });
    expect(still.subscription.disabledReason).toBe("OPERATOR");
  });

  test("changes what a subscription is called, where it goes and what it is notified of", async () => {
    const subscriptionId = await subscribe("One");
    const { result: customer } = await bank.operator("CreateCustomer", { ...northwind });
    const opening = {
      customerID: customer.customerId,
      name: "Till",
      accountType: "CHECKING",
      currency: "USD",
    };
    const other = (await bank.ledger("CustomerService.AddAccount", opening)).result.accountNumber;
    const wanted = {
      name: "Two",
      callbackUrl: "https://hooks.northwind.example/two",
      events: ["Account.NEW", "Transaction.NEW"],
      groupId: [other],
      remarks: "For the till",
      ordered: true,
    };
    bank.clock.advance(1);
    const { subscription } = await ok("UpdateSubscription", { subscriptionId, ...wanted });
    const events = ["Transaction.NEW", "Account.NEW"];
    expect(subscription).toMatchObject({ ...wanted, events, enabled: true });
    const topics = await bank.store.read((view) =>
      view.many(topicsOfSubscription, firstBank, subscriptionId),
    );
    expect(topics.map(({ topic, group }) => [topic, group])).toEqual([[other, customer.customerId]]);
    expect((await ok("UpdateSubscription", { subscriptionId, remarks: "" })).subscription).not.toHaveProperty(
      "remarks",
    );
    const refused = async (change: object) =>
      (await bank.partner("UpdateSubscription", { subscriptionId, ...change })).error;
    expect(await refused({ groupId: [other, "900000000001949"] })).toMatchObject({
      code: "NOT_FOUND_ACCOUNT",
      data: { field: "/groupId/1" },
    });
    expect(await refused({ callbackUrl: "https://10.0.0.1/" })).toMatchObject({
      code: "BAD_INPUT",
      data: { field: "/callbackUrl" },
    });
    expect(await refused({})).toMatchObject({ code: "BAD_INPUT" });
    expect((await ok("GetSubscription", { subscriptionId })).subscription).toMatchObject({
      groupId: [other],
    });
  });

  test("shows the secret of a subscription once, and another one when it is rotated", async () => {
    const subscriptionId = await subscribe("One");
    const first = await ok("RevealSubscriptionSecret", { subscriptionId });
    expect(first).toEqual({ subscriptionId, secret: expect.stringMatching(/^whsec_/) });
    const again = { code: "CONFLICT", data: { reason: "secret-shown" } };
    const reveal = async () => (await bank.partner("RevealSubscriptionSecret", { subscriptionId })).error;
    expect(await reveal()).toMatchObject(again);
    const second = await ok("RotateSubscriptionSecret", { subscriptionId, overlapSeconds: 60 });
    expect(second.secret).not.toBe(first.secret);
    expect(second).toEqual({
      subscriptionId,
      secret: second.secret,
      formerSecretUntil: new Date(bank.clock.now() + 60_000).toISOString(),
    });
    expect(await reveal(), "the answer of the rotation showed it").toMatchObject(again);
    const both = { secret: second.secret, formerSecret: first.secret };
    expect((await bank.operator("GetSubscriptionSecret", { subscriptionId })).result).toMatchObject(both);
    const ofOperator = (await bank.operator("RotateSubscriptionSecret", { subscriptionId })).result;
    expect((await ok("RevealSubscriptionSecret", { subscriptionId })).secret).toBe(ofOperator.secret);
  });

  test("deletes a subscription, with its secret and what waits for it", async () => {
    const subscriptionId = await subscribe("One");
    const { deliveryId } = await ok("SendTestEvent", { subscriptionId });
    expect(await ok("DeleteSubscription", { subscriptionId })).toEqual({ subscriptionId });
    expect((await ok("ListSubscriptions", {})).subscriptions).toEqual([]);
    expect((await bank.partner("GetDelivery", { deliveryId })).error?.code).toBe("NOT_FOUND_DELIVERY");
    expect((await bank.operator("GetDelivery", { deliveryId })).result.delivery).toMatchObject({
      state: "CANCELLED",
      cancelReason: "DELETED",
    });
  });

  test("lists the accounts that the caller may see", async () => {
    const { accounts } = await ok("ListAccounts", { filter: `number = ${accountNumber}` });
    expect(accounts).toMatchObject([{ number: accountNumber, name: "Desk", currency: "USD" }]);
    expect((await ok("ListAccounts", { pageSize: 1, pageNumber: 2 })).accounts).toHaveLength(1);
    await bank.addUser({ userName: "narrow", groups: ["nobody"] });
    expect((await ok("ListAccounts", {}, "narrow")).accounts).toEqual([]);
  });

  test("sends a test event, and shows and repeats its delivery", async () => {
    const subscriptionId = await subscribe("One");
    const { deliveryId, eventId } = await ok("SendTestEvent", { subscriptionId });
    const listed = await ok("ListDeliveries", { subscriptionId, state: "PENDING" });
    expect(listed.deliveries).toMatchObject([{ deliveryId, eventId, eventName: "Test" }]);
    const read = await ok("GetDelivery", { deliveryId });
    expect(read).toMatchObject({ delivery: { deliveryId, subscriptionId }, attemptsMade: [] });
    expect((await ok("RedeliverOne", { deliveryId })).delivery).toMatchObject({ deliveryId });
    await bank.operator("UpdateSubscription", { subscriptionId, enabled: false });
    expect((await bank.partner("RedeliverOne", { deliveryId })).error).toMatchObject({
      code: "CONFLICT",
      data: { reason: "subscription-disabled" },
    });
  });

  test("lists the deliveries of a subscription page by page, the newest first", async () => {
    const subscriptionId = await subscribe("One");
    const sent: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      bank.clock.advance(1);
      sent.unshift((await ok("SendTestEvent", { subscriptionId })).deliveryId);
    }
    const idsOf = ({ deliveries }: Answer["result"]) =>
      deliveries.map(({ deliveryId }: { deliveryId: string }) => deliveryId);
    const first = await ok("ListDeliveries", { subscriptionId, pageSize: 2 });
    expect(idsOf(first)).toEqual(sent.slice(0, 2));
    const rest = await ok("ListDeliveries", { subscriptionId, pageSize: 2, after: first.next });
    expect([idsOf(rest), rest.next]).toEqual([sent.slice(2), undefined]);
    const whole = await ok("ListDeliveries", { subscriptionId, pageSize: 3, state: "PENDING" });
    expect([idsOf(whole), whole.next]).toEqual([sent, undefined]);
    for (const pageSize of [0, 101])
      expect((await bank.partner("ListDeliveries", { subscriptionId, pageSize })).error).toMatchObject({
        code: "BAD_INPUT",
        data: { field: "/pageSize" },
      });
  });

  test("reads a delivery's notification, signed now by the secret and by the service's keys", async () => {
    const { clock, store } = bank;
    const keys = createServiceKeys({ store, clock, sealer: sealer(new Uint8Array(32)) });
    await keys.signing();
    const subscriptionId = await subscribe("One");
    const { deliveryId } = await ok("SendTestEvent", { subscriptionId });
    const { secret } = (await bank.operator("GetSubscriptionSecret", { subscriptionId })).result;
    const jwks = createServer(async (_, response) => response.end(JSON.stringify(await keys.keySet())));
    const server = jwks.listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await once(server, "listening");
    const address = server.address();
    const jwksUrl = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/`;
    const now = clock.now;
    const verifiers = [webhooks({ secret, now }), webhooks({ jwksUrl, now })];
    const before = await ok("GetDelivery", { deliveryId });
    clock.advance(3_600_000);
    const { body, ...signed } = await ok("GetNotification", { deliveryId });
    const headers = {
      "webhook-id": signed.webhookId,
      "webhook-timestamp": signed.webhookTimestamp,
      "webhook-signature": signed.webhookSignature,
    };
    expect(signed.webhookId).toBe(deliveryId);
    for (const verifier of verifiers) {
      expect(await verifier.verify(body, headers)).toMatchObject({ eventName: "Test", subscriptionId });
      await expect(verifier.verify(body.replace("Nothing", "Much"), headers)).rejects.toThrow("signature");
    }
    expect(await ok("GetDelivery", { deliveryId }), "reading it has changed nothing").toEqual(before);
    const shown = (await bank.operator("GetNotification", { deliveryId })).result;
    expect(shown, "the operator is shown the same body").toMatchObject({
      webhookId: deliveryId,
      body: expect.any(String),
    });
    const ofOperator = { ...headers, "webhook-signature": shown.webhookSignature };
    for (const verifier of verifiers)
      expect(await verifier.verify(shown.body, ofOperator)).toMatchObject({
        eventName: "Test",
        subscriptionId,
      });
    await bank.operator("DeleteSubscription", { subscriptionId });
    expect((await bank.operator("GetNotification", { deliveryId })).error).toMatchObject({
      code: "NOT_FOUND_SUBSCRIPTION",
    });
  });

  test("answers another user of the institution as if there were nothing", async () => {
    const subscriptionId = await subscribe("One");
    const { deliveryId } = await ok("SendTestEvent", { subscriptionId });
    const absent = "01KAFZ0000000000000000000X";
    const answersOf = async (subscription: string, delivery: string, by: string) => {
      const calls: readonly (readonly [string, object])[] = [
        ["GetSubscription", { subscriptionId: subscription }],
        ["UpdateSubscription", { subscriptionId: subscription, enabled: false }],
        ["SendTestEvent", { subscriptionId: subscription }],
        ["ListDeliveries", { subscriptionId: subscription }],
        ["GetDelivery", { deliveryId: delivery }],
        ["GetNotification", { deliveryId: delivery }],
        ["RedeliverOne", { deliveryId: delivery }],
        ["DeleteSubscription", { subscriptionId: subscription }],
        ["RevealSubscriptionSecret", { subscriptionId: subscription }],
        ["RotateSubscriptionSecret", { subscriptionId: subscription }],
      ];
      const errors: Answer["error"][] = [];
      for (const [method, payload] of calls) errors.push((await bank.partner(method, payload, by)).error);
      return errors;
    };
    const missing = await answersOf(absent, absent, "teller");
    expect(missing.map((error) => error?.code.startsWith("NOT_FOUND_"))).toEqual(Array(10).fill(true));
    for (const stranger of ["clerk", "other-teller"])
      expect(await answersOf(subscriptionId, deliveryId, stranger)).toEqual(missing);
    expect((await bank.partner("ListSubscriptions", {}, "operator")).error?.code).toBe("BAD_CREDENTIAL");
  });

  test("lists the caller's own keys, without the keys", async () => {
    const { apiKeys, keys, scopes } = await ok("ListKeys", {});
    expect(scopes, "and what the caller may call").toEqual(["*"]);
    const lastUsedDate = new Date(bank.clock.now()).toISOString();
    const used = { createdDate: expect.any(String), lastUsedDate };
    expect(apiKeys).toEqual([{ apiKeyId: "api-teller", ...used }]);
    expect(keys).toEqual([{ KeyId: "key-teller", status: "ACTIVE", ...used }]);
    bank.clock.advance(1);
    await bank.operator("RegisterKey", { userName: "teller", PublicKey: publicKeyPem });
    const all = await ok("ListKeys", {});
    const [, added] = all.keys;
    await bank.operator("RevokeKey", { KeyId: added.KeyId });
    expect((await ok("ListKeys", {})).keys).toHaveLength(2);
    expect(added.lastUsedDate).toBeUndefined();
    const later = new Date(bank.clock.now()).toISOString();
    expect((await ok("ListKeys", { activeOnly: true })).keys).toEqual([{ ...keys[0], lastUsedDate: later }]);
    expect((await bank.operator("GetUser", { userName: "teller" })).result.apiKeys).toMatchObject([
      { lastUsedDate: later },
    ]);
  });
});
