import { beforeEach, describe, expect, test } from "vitest";
import {
  LedgerClient,
  NotFoundAccountError,
  UnauthorizedError,
} from "../../generated/ledger/client/index.ts";
import { FakeLedger } from "../../generated/ledger/client/testing.ts";
import * as schemas from "../../generated/ledger/client/schemas.ts";
import { FakeOperator } from "../../generated/operator/client/testing.ts";

let fake: FakeLedger;
let client: LedgerClient;
beforeEach(() => {
  fake = new FakeLedger();
  client = fake.client;
});

const savings = (customerID: string) =>
  ({ customerID, name: "Rainy days", accountType: "SAVINGS", currency: "EUR" }) as const;

describe("the service in memory", () => {
  test("knows what the interface's examples tell of, and nothing else", async () => {
    const { account } = await client.account.get({ ID: fake.samples.accountId });
    expect(account).toMatchObject({ id: fake.samples.accountId, number: fake.samples.accountNumber });
    expect(schemas.GetAccountResult.safeParse({ account }).success).toBe(true);
    const absent = client.account.get({ ID: "nope" });
    await expect(absent).rejects.toMatchObject({
      code: "NOT_FOUND_ACCOUNT",
      message: "Account doesn't exists",
      requestId: "fake-2",
    });
    expect(fake.calls.map(({ method }) => method)).toEqual([
      "AccountService.GetAccount",
      "AccountService.GetAccount",
    ]);
  });

  test("keeps what is changed, and announces it once", async () => {
    const { accountId, accountNumber } = fake.samples;
    const suspended = await client.account.updateStatus({ accountNumber, status: "SUSPENDED" });
    expect(suspended).toMatchObject({ Status: "SUSPENDED", AccountNumber: accountNumber });
    expect((await client.account.get({ ID: accountId })).account.status).toBe("SUSPENDED");
    await client.account.updateStatus({ accountNumber, status: "SUSPENDED" });
    expect(fake.events).toMatchObject([
      { eventName: "Account.UPDATE", payload: { id: accountId, status: "SUSPENDED" } },
    ]);
  });

  test("makes what is asked for, once under one id, and lists it", async () => {
    const payload = savings(fake.samples.consumerCustomerId);
    const opened = await client.customer.addAccount(payload, { id: "one" });
    expect(await client.customer.addAccount(payload, { id: "one" })).toEqual(opened);
    const other = await client.customer.addAccount(payload);
    expect(other.ID).not.toBe(opened.ID);
    const { account } = await client.account.get({ ID: opened.ID });
    expect(account).toMatchObject({ name: "Rainy days", currency: "EUR", status: "ACTIVE", balance: 0 });
    const ids = [];
    for await (const { id, name } of client.accounts.all({ pageSize: 1 })) ids.push([id, name]);
    expect(ids.slice(-2)).toEqual([
      [opened.ID, "Rainy days"],
      [other.ID, "Rainy days"],
    ]);
    expect(fake.events.map(({ eventName }) => eventName)).toEqual(["Account.NEW", "Account.NEW"]);
    expect(fake.events[0]?.payload).toMatchObject({ id: opened.ID, number: opened.accountNumber });
  });

  test("checks what it is sent", async () => {
    const missing = client.account.get({ ID: "" });
    await expect(missing).rejects.toMatchObject({ code: "BAD_INPUT", message: "ID is invalid or missing" });
    // @ts-expect-error there is no such status
    const wrong = client.account.updateStatus({ accountNumber: fake.samples.accountNumber, status: "OPEN" });
    await expect(wrong).rejects.toMatchObject({ code: "BAD_INPUT", field: "/status" });
    // @ts-expect-error one of its fields has to be there
    await expect(client.account.list({})).rejects.toMatchObject({ code: "BAD_INPUT" });
    // @ts-expect-error one of its fields has to be there
    await expect(client.getSource({})).rejects.toMatchObject({ code: "BAD_INPUT" });
  });

  test("holds values to their limits and formats", async () => {
    const refused = async (call: Promise<unknown>) => await call.catch((error) => error.field ?? error.code);
    expect(await refused(client.account.list({ PageNumber: 0 }))).toBe("/PageNumber");
    expect(await refused(client.account.list({ PageSize: 1.5 }))).toBe("/PageSize");
    expect(await refused(client.account.list({ filter: "x".repeat(1001) }))).toBe("/filter");
    const customer = { ID: fake.samples.businessCustomerId, businessNameLegal: "n" };
    expect(await refused(client.customer.update({ ...customer, dateEstablished: "20250229" }))).toBe(
      "/dateEstablished",
    );
    expect(await refused(client.customer.update({ ...customer, dateEstablished: "20240229" }))).toMatchObject(
      {
        dateEstablished: "20240229",
      },
    );
    const subscription = {
      name: "n",
      groupId: [fake.samples.accountNumber],
      events: ["Account.NEW"],
    } as const;
    expect(await refused(client.createSubscription({ ...subscription, callbackUrl: "nowhere" }))).toBe(
      "/callbackUrl",
    );
  });

  test("refuses what only another form of a payload has", async () => {
    const { consumerCustomerId, businessCustomerId, legalRepId } = fake.samples;
    const legalReps = [{ ID: legalRepId, name: "J" }];
    const wrong = client.customer.addAccount({ ...savings(consumerCustomerId), legalReps });
    await expect(wrong).rejects.toMatchObject({ code: "BAD_INPUT", field: "/legalReps" });
    await client.customer.addAccount({ ...savings(businessCustomerId), legalReps });
    const nobody = client.customer.addAccount({ ...savings("nobody"), legalReps });
    await expect(nobody).rejects.toMatchObject({ code: "NOT_FOUND_CUSTOMER" });
  });

  test("reads filters", async () => {
    const { consumerCustomerId, accountNumber } = fake.samples;
    const { accountNumber: rainy } = await client.customer.addAccount(savings(consumerCustomerId));
    await client.account.updateStatus({ accountNumber, status: "CLOSED" });
    const found = async (filter: string) => {
      const numbers = [];
      for await (const { number } of client.accounts.all({ filter, pageSize: 1 })) numbers.push(number);
      return numbers;
    };
    expect(await found("status = CLOSED")).toEqual([accountNumber]);
    expect(await found('name:"RAINY d" AND balance < 0.01 AND NOT currency = USD')).toEqual([rainy]);
    expect(await found("balance > 15230.24 OR rainy*")).toContain(accountNumber);
    const broken = client.account.list({ filter: "status = OPEN" });
    await expect(broken).rejects.toMatchObject({ code: "BAD_INPUT", field: "/filter", data: { column: 10 } });
  });

  test("answers flat bodies, and narrows a list by what it is asked for", async () => {
    const { source, sourceId, accountId, legalRepId, beneficiaryId } = fake.samples;
    expect(await client.getSource({ source })).toMatchObject({ id: sourceId, source });
    const found = await client.account.listBeneficiary({ ID: accountId, legalrepId: legalRepId });
    expect(found.beneficiarys.map(({ ID }) => ID)).toContain(beneficiaryId);
    expect(await client.account.listBeneficiary({ ID: accountId, legalrepId: "other" })).toEqual({
      beneficiarys: [],
    });
    const subscribe = {
      name: "n",
      callbackUrl: "https://a.example",
      events: ["Account.NEW"],
      groupId: [fake.samples.accountNumber],
    } as const;
    const first = await client.createSubscription(subscribe);
    expect((await client.createSubscription({ ...subscribe, name: "m" })).subscriptionId).not.toBe(
      first.subscriptionId,
    );
  });

  test("says what a test wants it to", async () => {
    const { accountId: ID } = fake.samples;
    fake.refuse("AccountService.GetAccount", "UNAUTHORIZED");
    const refused: unknown = await client.account.get({ ID }).catch((error: unknown) => error);
    expect(refused instanceof UnauthorizedError).toBe(true);
    fake.answer("AccountService.GetAccount", ({ ID: id }) => {
      throw new NotFoundAccountError(`no ${id}`, { field: "/ID" });
    });
    await expect(client.account.get({ ID })).rejects.toMatchObject({ message: `no ${ID}`, field: "/ID" });
    fake.answer("AccountService.UpdateAccountCategory", ({ AccountCategory }) => ({
      Message: AccountCategory,
    }));
    const payload = { AccountNumber: "1", AccountCategory: "Gold" };
    expect(await client.account.updateCategory(payload)).toEqual({ Message: "Gold" });
    fake.restore("AccountService.GetAccount");
    expect((await client.account.get({ ID })).account.id).toBe(ID);
  });

  test("loses answers after it has done the work", async () => {
    fake.loseAnswers(2);
    await client.customer.addAccount(savings(fake.samples.consumerCustomerId));
    expect(fake.events).toHaveLength(1);
    expect(fake.calls).toHaveLength(3);
    fake.loseAnswers(1);
    const impatient = new LedgerClient({ ...fake.options, attemptsMax: 1 });
    const lost = impatient.account.get({ ID: fake.samples.accountId });
    await expect(lost).rejects.toMatchObject({ name: "NetworkError" });
  });

  test("plays any interface", async () => {
    const operator = new FakeOperator();
    const created = await operator.client.createCategory({ name: "Gold" });
    expect(created).toMatchObject({ name: "Gold" });
  });
});

describe("every example of the interface", () => {
  test("is answered by the service in memory as it says", async () => {
    const { description } = await import("../../generated/ledger/client/fake-data.ts");
    for (const method of description.methods) {
      for (const { payload, result, error } of method.examples) {
        const { client: fresh } = new FakeLedger();
        const name: string = method.name;
        const answer = await fresh.raw(...rawCall(name, payload));
        const said = answer.envelope?.error?.code ?? "fine";
        expect(said, `${method.name} ${JSON.stringify(payload)}`).toBe(error ?? "fine");
        if (result === undefined || method.effect !== "read") continue;
        const body = method.selectedBy ? answer.envelope : answer.envelope?.result;
        if (method.paging === undefined) expect(body).toMatchObject(Object(result));
      }
    }
  });
});

/** The arguments of a call whose method is known at run time only. */
function rawCall(name: string, payload: unknown): Parameters<LedgerClient["raw"]> {
  return JSON.parse(JSON.stringify([name, payload]));
}
