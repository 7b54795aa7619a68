import { beforeEach, describe, expect, it } from "vitest";
import { eventFor } from "../../runtime/events/index.ts";
import type { DeliveryState } from "../../runtime/store/ports/index.ts";
import { firstBank, openBank, type Bank } from "./handlers-bank.ts";
import { openAccount, openBusiness, type Business } from "./handlers-people.ts";
import { transfer } from "./handlers-transfers.ts";
import {
  oldestEvents,
  subscriptionById,
  events,
  deliveries as deliveriesTable,
} from "../../runtime/store/tables/index.ts";
import { portalLoginByLegalRep, accountByNumber, accounts } from "../../ledger/tables/index.ts";

let bank: Bank;
let own: Business;
let other: Business;

beforeEach(async () => {
  bank = await openBank();
  own = await openBusiness(bank);
  other = await openBusiness(bank);
  await bank.addUser({ userName: "narrow", groups: [own.customerId] });
});

const addAccount = (payload: object, by?: string) =>
  bank.ledger(
    "CustomerService.AddAccount",
    { customerID: own.customerId, name: "Mine", accountType: "CHECKING", currency: "USD", ...payload },
    by,
  );

describe("a pool account (D-51)", () => {
  it("of another customer is shown by identifier and number alone", async () => {
    const pool = await openAccount(bank, other.customerId, { name: "Secret pool" });
    const { result } = await addAccount({ activityAccountNumber: pool.accountNumber });
    const read = (by: string) => bank.ledger("AccountService.GetAccount", { ID: result.ID }, by);
    expect((await read("teller")).result.account.parent).toEqual({
      ID: pool.ID,
      number: pool.accountNumber,
      code: "",
      name: "Secret pool",
    });
    const narrow = await read("narrow");
    expect(narrow.result.account.parent).toEqual({ ID: pool.ID, number: pool.accountNumber });
    expect(narrow.text).not.toContain("Secret pool");
  });

  it("of another customer has its subscribers told of a new account without its customer (D-40)", async () => {
    const pool = await openAccount(bank, other.customerId);
    const mine = await openAccount(bank, own.customerId);
    const outbox = () => bank.store.read((view) => view.many(oldestEvents, 100));
    const payloads = async (activityAccountNumber: string) => {
      const { result } = await addAccount({ activityAccountNumber });
      const event = (await outbox()).at(-1);
      if (event === undefined) throw new Error("no event was published");
      const payloadFor = (...held: readonly string[]) =>
        JSON.parse(eventFor(event, [...held, result.accountNumber]).payloadJson);
      return { ofPool: payloadFor(activityAccountNumber), ofCustomer: payloadFor(mine.accountNumber) };
    };
    const foreign = await payloads(pool.accountNumber);
    expect(foreign.ofCustomer).toMatchObject({ customerID: own.customerId });
    const { customerID: _hidden, ...withoutCustomer } = foreign.ofCustomer;
    expect(foreign.ofPool).toEqual(withoutCustomer);
    const { ofPool } = await payloads(mine.accountNumber);
    expect(ofPool).toMatchObject({ customerID: own.customerId });
  });

  it("that belongs to the bank itself is shown likewise", async () => {
    const { result } = await addAccount({}, "narrow");
    const { text } = await bank.ledger("AccountService.GetAccount", { ID: result.ID }, "narrow");
    expect(text).not.toContain("Clearing");
  });

  it("is active and of the same currency", async () => {
    const pool = await openAccount(bank, own.customerId);
    const activityAccountNumber = pool.accountNumber;
    expect((await addAccount({ activityAccountNumber, currency: "EUR" })).error).toMatchObject({
      code: "CONFLICT",
      data: { field: "/activityAccountNumber", reason: "account-currency" },
    });
    await bank.ledger("AccountService.UpdateAccountStatus", {
      accountNumber: activityAccountNumber,
      status: "CLOSED",
    });
    expect((await addAccount({ activityAccountNumber })).error).toMatchObject({
      code: "CONFLICT",
      data: { field: "/activityAccountNumber", reason: "account-status" },
    });
  });
});

describe("an INACTIVE legal representative (D-50)", () => {
  const setStatus = (Status: string) =>
    bank.ledger("CustomerService.UpdateLegalRepStatus", { ID: own.legalRepId, Status });
  const login = () => bank.ledger("CustomerService.CreateLegalRepLogin", { legalrepID: own.legalRepId });
  const keptLogin = () =>
    bank.store.read((view) => view.one(portalLoginByLegalRep, firstBank, own.legalRepId));

  it("gets no login, and keeps none", async () => {
    await login();
    expect(await keptLogin()).toBeDefined();
    await setStatus("INACTIVE");
    expect(await keptLogin()).toBeUndefined();
    expect((await login()).error).toMatchObject({ code: "CONFLICT", data: { reason: "inactive" } });
    expect(bank.mails).toHaveLength(1);
    await setStatus("ACTIVE");
    expect((await login()).error).toBeUndefined();
  });

  it("is put on no new account, and pays nobody new", async () => {
    const { ID: accountId } = await openAccount(bank, own.customerId);
    await setStatus("INACTIVE");
    const legalReps = [{ ID: own.legalRepId, name: "x" }];
    expect((await addAccount({ legalReps })).error).toMatchObject({
      code: "CONFLICT",
      data: { field: "/legalReps/0/ID", reason: "inactive" },
    });
    const payee = { type: "INDIVIDUAL", firstName: "A", lastName: "B", accountNumber: "1", accountType: "S" };
    const added = await bank.operator("AddBeneficiary", { accountId, legalRepId: own.legalRepId, ...payee });
    expect(added.error).toMatchObject({ code: "CONFLICT", data: { field: "/legalRepId" } });
  });
});

describe("UpdateCustomer names the caller's institution or none (D-53)", () => {
  const update = (payload: object) =>
    bank.ledger("CustomerService.UpdateCustomer", {
      ID: own.customerId,
      businessNameLegal: "Same",
      ...payload,
    });

  it.each([
    ["/institutionName", { institutionName: "Other Bank" }],
    ["/institutionId", { institutionId: "091000020" }],
    ["/institutionName", { institutionName: "first bank", institutionId: "091000020" }],
  ])("%s of another is BAD_INPUT", async (field, payload) => {
    const { error } = await update(payload);
    expect(error).toMatchObject({ code: "BAD_INPUT", data: { field, reason: "another-institution" } });
  });

  it("takes its own", async () => {
    const { error } = await update({ institutionName: "First Bank", institutionId: firstBank });
    expect(error).toBeUndefined();
  });
});

describe("a revoked user's subscription (D-48)", () => {
  let number: string;
  let subscriptionId: string;
  const stored = () => bank.store.read((view) => view.one(subscriptionById, firstBank, subscriptionId));
  const revoke = (payload: object = {}) =>
    bank.operator("RevokeCredential", { userName: "leaving", ...payload });

  beforeEach(async () => {
    await bank.addUser({ userName: "leaving" });
    number = (await openAccount(bank, own.customerId)).accountNumber;
    const subscription = { name: "S", callbackUrl: "https://hooks.example/", events: ["Account.UPDATE"] };
    const { result } = await bank.ledger(
      "CreateSubscription",
      { ...subscription, groupId: [number] },
      "leaving",
    );
    subscriptionId = result.subscriptionId;
  });

  async function queue(state: DeliveryState): Promise<void> {
    await bank.store.write(async (tx) => {
      const event = { id: `e-${state}`, institutionId: firstBank, name: "Account.UPDATE", source: "s" };
      const about = {
        topics: [number],
        group: "c",
        payloadJson: "{}",
        createdAt: 1,
        publishedAt: 1,
      };
      await tx.insert(events, { ...event, ...about });
      const delivery = { id: `d-${state}`, institutionId: firstBank, subscriptionId, eventId: event.id };
      const counted = {
        eventName: event.name,
        topics: [number],
        sequence: 1,
        generation: 0,
        attempts: 0,
        failures: 0,
      };
      const claim = state === "PENDING" ? { claimedBy: "someone" } : {};
      await tx.insert(deliveriesTable, { ...delivery, ...counted, state, dueAt: 5, ...claim, createdAt: 1 });
    });
  }

  it("is disabled with what it was to be sent, once the last credential is revoked", async () => {
    for (const state of ["PENDING", "WAITING", "HELD"] as const) await queue(state);
    const second = await bank.operator("RotateCredential", { userName: "leaving" });
    await revoke({ apiKeyId: second.result.apiKeyId });
    expect(await stored()).toMatchObject({ enabled: true });

    await revoke();
    expect(await stored()).toMatchObject({ enabled: false, disabledReason: "REVOKED" });
    const { deliveries } = (await bank.operator("ListDeliveries", { subscriptionId })).result;
    expect(deliveries).toHaveLength(3);
    for (const delivery of deliveries) {
      expect(delivery).toMatchObject({ state: "CANCELLED", cancelReason: "REVOKED" });
      expect(delivery.nextAttemptDate).toBeUndefined();
    }
  });

  it("ends too where the credentials that are left have expired", async () => {
    const { result } = await bank.operator("RotateCredential", { userName: "leaving", overlapSeconds: 10 });
    bank.clock.advance(20_000);
    await revoke({ apiKeyId: result.apiKeyId });
    expect(await stored()).toMatchObject({ enabled: false, disabledReason: "REVOKED" });
  });

  it("is enabled and tried for nobody, but handed to a user who sees its accounts", async () => {
    await revoke();
    const refused = { code: "CONFLICT", data: { reason: "credential-revoked" } };
    const enable = () => bank.operator("UpdateSubscription", { subscriptionId, enabled: true });
    expect((await enable()).error).toMatchObject(refused);
    expect((await bank.operator("SendTestEvent", { subscriptionId })).error).toMatchObject(refused);

    await bank.addUser({ userName: "elsewhere", groups: [other.customerId] });
    const handTo = (userName: string) => bank.operator("TransferSubscription", { subscriptionId, userName });
    expect((await handTo("leaving")).error).toMatchObject(refused);
    expect((await handTo("elsewhere")).error).toMatchObject({
      code: "CONFLICT",
      data: { reason: "account-not-seen" },
    });
    for (const stranger of ["other-teller", "operator", "nobody"]) {
      expect((await handTo(stranger)).error?.code).toBe("NOT_FOUND_CREDENTIAL");
    }
    expect((await handTo("narrow")).result.subscription).toMatchObject({
      userName: "narrow",
      enabled: false,
    });
    expect((await enable()).result.subscription).toMatchObject({ enabled: true });
  });
});

describe("two customers in one transaction (D-49)", () => {
  it("each read it with their own customer; strangers find none, and neither decides it", async () => {
    await bank.addUser({ userName: "far", groups: [other.customerId] });
    const third = await openBusiness(bank);
    await bank.addUser({ userName: "stranger", groups: [third.customerId] });
    const [from, to] = [await openAccount(bank, own.customerId), await openAccount(bank, other.customerId)];
    await bank.takeEvents();
    const payload = transfer(from.accountNumber, to.accountNumber, {
      CustomerId: own.customerId,
      Status: "PENDING",
    });
    await bank.operator("RecordTransaction", payload);
    const read = (by: string) =>
      bank.ledger("TransactionService.GetTransactionsByRef", { ReferenceId: payload.ReferenceId }, by);
    expect((await read("teller")).result.CustomerId).toBe(own.customerId);
    expect((await read("narrow")).result.CustomerId).toBe(own.customerId);
    const far = await read("far");
    expect(far.result.CustomerId).toBe(other.customerId);
    expect(far.text).not.toContain(own.customerId);
    expect((await read("stranger")).error?.code).toBe("NOT_FOUND_TRANSACTION");

    await bank.addUser({ userName: "far-operator", realm: "operator", groups: [other.customerId] });
    const decided = await bank.operator(
      "UpdateTransactionStatus",
      { ReferenceId: payload.ReferenceId, Status: "COMPLETED" },
      "far-operator",
    );
    expect(decided.error?.code).toBe("NOT_FOUND_TRANSACTION");
  });

  it("are told apart by the account that a subscription holds", () => {
    const event = { payloadJson: "recorded", otherPayloads: [{ topic: "2", payloadJson: "other" }] };
    expect(eventFor(event, ["1"]).payloadJson).toBe("recorded");
    expect(eventFor(event, ["2"]).payloadJson).toBe("other");
    expect(eventFor(event, ["2", "1"]).payloadJson).toBe("recorded");
    expect(eventFor({ payloadJson: "recorded" }, ["2"]).payloadJson).toBe("recorded");
  });
});

describe("accounts.closing: settled (D-55)", () => {
  const setStatus = (accountNumber: string, status: string) =>
    bank.ledger("AccountService.UpdateAccountStatus", { accountNumber, status });

  it("closes accounts without money, holds and pending transactions only", async () => {
    bank = await openBank({ closing: "settled" });
    own = await openBusiness(bank);
    const [from, to] = [await openAccount(bank, own.customerId), await openAccount(bank, own.customerId)];
    const payload = transfer(from.accountNumber, to.accountNumber, {
      CustomerId: own.customerId,
      Status: "PENDING",
    });
    await bank.operator("RecordTransaction", payload);
    const refused = { code: "CONFLICT", data: { field: "/status", reason: "not-settled" } };
    for (const { accountNumber } of [from, to]) {
      expect((await setStatus(accountNumber, "CLOSED")).error).toMatchObject(refused);
    }
    const decide = (Status: string) =>
      bank.operator("UpdateTransactionStatus", { ReferenceId: payload.ReferenceId, Status });
    await decide("COMPLETED");
    for (const { accountNumber } of [from, to]) {
      expect((await setStatus(accountNumber, "CLOSED")).error).toMatchObject(refused);
      expect((await setStatus(accountNumber, "SUSPENDED")).error).toBeUndefined();
    }
    const empty = await openAccount(bank, own.customerId);
    const preAuthorized = async (preAuthMinor: bigint) =>
      bank.store.write(async (tx) => {
        const account = await tx.one(accountByNumber, firstBank, empty.accountNumber);
        if (account !== undefined) await tx.replace(accounts, { ...account, preAuthMinor });
      });
    await preAuthorized(1n);
    expect((await setStatus(empty.accountNumber, "CLOSED")).error).toMatchObject(refused);
    await preAuthorized(0n);
    expect((await setStatus(empty.accountNumber, "CLOSED")).error).toBeUndefined();
  });

  it("leaves the institution's own accounts to the operator", async () => {
    const { ID } = await openAccount(bank, own.customerId);
    const { parent } = (await bank.ledger("AccountService.GetAccount", { ID })).result.account;
    expect((await setStatus(parent.number, "BLOCKED")).error).toMatchObject({
      code: "UNAUTHORIZED",
      data: { reason: "institution-owned" },
    });
    const set = { accountNumber: parent.number, status: "BLOCKED" };
    expect((await bank.operator("SetAccountStatus", set)).error).toBeUndefined();
    expect((await bank.takeEvents()).at(-1)).toMatchObject({ name: "Account.UPDATE" });
  });
});
