import { beforeEach, describe, expect, it } from "vitest";
import { errors } from "../../generated/ledger/errors.ts";
import { ledgerInterface } from "../../generated/ledger/methods.ts";
import { accountStatuses, isIssuedAccountNumber } from "../../ledger/domain/accounts.ts";
import { firstBank, openBank, type Answer, type Bank } from "./handlers-bank.ts";
import { openBusiness, openConsumer, type Business } from "./handlers-people.ts";
import { accountById } from "../../ledger/tables/index.ts";

let bank: Bank;
let business: Business;
let consumerId: string;

beforeEach(async () => {
  bank = await openBank();
  business = await openBusiness(bank);
  consumerId = await openConsumer(bank);
});

function addAccount(payload: object, by?: string): Promise<Answer> {
  const standard = {
    customerID: business.customerId,
    name: "Operating",
    accountType: "CHECKING",
    currency: "USD",
  };
  return bank.ledger("CustomerService.AddAccount", { ...standard, ...payload }, by);
}

async function getAccount(id: string, by?: string): Promise<Answer> {
  return bank.ledger("AccountService.GetAccount", { ID: id }, by);
}

describe("AddAccount", () => {
  it("opens an account with a number of its own and shows it in full", async () => {
    const { result } = await addAccount({ legalReps: [{ ID: business.legalRepId, name: "Johanna" }] });
    expect(result).toEqual({
      ID: expect.any(String),
      status: "ACTIVE",
      accountNumber: expect.stringMatching(/^[1-9][0-9]{14}$/),
      accountType: "CHECKING",
      institutionID: firstBank,
      customerID: business.customerId,
    });
    expect(isIssuedAccountNumber(result.accountNumber)).toBe(true);

    const { account } = (await getAccount(result.ID)).result;
    expect(account).toMatchObject({
      id: result.ID,
      number: result.accountNumber,
      name: "Operating",
      customerName: "Northwind Traders LLC",
      institutionName: "First Bank",
      currency: "USD",
      currencyCode: "840",
      balance: 0,
      debit: true,
      DDAAccount: true,
      isClosed: false,
      // A new account is none of these.
      final: false,
      isVerify: false,
      isGLVerify: false,
      isShadowAccount: false,
      sweep: false,
      externalLedger: false,
      newRouteAlert: false,
      address: { city: "San Francisco" },
      legalReps: [{ ID: business.legalRepId, name: "Johanna Lindqvist" }],
      createdDate: "2026-03-02T12:00:00.000Z",
    });
    const ledger = (await getAccount("gl-clearing-USD")).result.account;
    expect(account.parent).toEqual({ ID: ledger.id, code: "", name: ledger.name, number: account.glAccount });
    expect(ledger).not.toHaveProperty("parent");
  });

  it("keeps a legal representative once, however often it is named", async () => {
    const legalRep = { ID: business.legalRepId, name: "Johanna" };
    const { result } = await addAccount({ legalReps: [legalRep, legalRep] });
    const kept = await bank.store.read((view) => view.one(accountById, firstBank, result.ID));
    expect(kept?.legalRepIds).toEqual([business.legalRepId]);
  });

  it("announces the account once, to its own number", async () => {
    await bank.takeEvents();
    const { result } = await addAccount({});
    const events = await bank.takeEvents();
    expect(events).toEqual([
      {
        name: "Account.NEW",
        topics: [result.accountNumber],
        group: business.customerId,
        payload: expect.objectContaining({ id: result.ID, number: result.accountNumber, status: "ACTIVE" }),
      },
    ]);
    expect(JSON.stringify(events)).not.toContain("Northwind");
  });

  it("opens it under a pool account, whose subscribers hear of it too (D-40)", async () => {
    const pool = (await addAccount({ name: "Pool" })).result;
    await bank.takeEvents();
    const { result } = await addAccount({
      customerID: consumerId,
      activityAccountNumber: pool.accountNumber,
    });
    const [event] = await bank.takeEvents();
    expect(event?.topics).toEqual([result.accountNumber, pool.accountNumber]);
    const { account } = (await getAccount(result.ID)).result;
    expect(account.parent).toEqual({ ID: pool.ID, code: "", name: "Pool", number: pool.accountNumber });
  });

  it("takes all seven types for businesses and consumers", async () => {
    for (const accountType of ["SAVINGS", "CHECKING", "WALLET", "MONEY_MARKET", "CREDIT_CARD", "GL"]) {
      for (const customerID of [business.customerId, consumerId]) {
        expect((await addAccount({ accountType, customerID })).result?.accountType).toBe(accountType);
      }
    }
  });

  it("takes CUSTODIAL with its two fields only (D-29)", async () => {
    const custody = { accountType: "CUSTODIAL", CustodialCustomerId: consumerId, custodialType: "ESCROW" };
    expect((await addAccount(custody)).result.accountType).toBe("CUSTODIAL");
    const without = (field: string) => ({ ...custody, [field]: undefined });
    for (const field of ["CustodialCustomerId", "custodialType"]) {
      expect((await addAccount(without(field))).error).toMatchObject({
        code: "BAD_INPUT",
        data: { field: `/${field}` },
      });
    }
    expect((await addAccount({ ...custody, CustodialCustomerId: "nobody" })).error).toMatchObject({
      code: "NOT_FOUND_CUSTOMER",
      data: { field: "/CustodialCustomerId" },
    });
  });

  it("takes configured custodial types only, where they are configured (D-29)", async () => {
    bank = await openBank({ custodialTypes: ["ESCROW"] });
    business = await openBusiness(bank);
    const custody = { accountType: "CUSTODIAL", CustodialCustomerId: business.customerId };
    expect((await addAccount({ ...custody, custodialType: "ESCROW" })).error).toBeUndefined();
    expect((await addAccount({ ...custody, custodialType: "TRUST" })).error?.code).toBe("BAD_INPUT");
    const nobodys = { ...custody, customerID: "nobody", custodialType: "TRUST" };
    expect((await addAccount(nobodys)).error?.code).toBe("BAD_INPUT");
  });

  it("refuses legal representatives of a consumer, and of another customer (D-28, D-54)", async () => {
    const other = await openBusiness(bank);
    const rep = (ID: string) => ({ legalReps: [{ ID, name: "x" }] });
    expect((await addAccount({ customerID: consumerId, ...rep(business.legalRepId) })).error).toMatchObject({
      code: "BAD_INPUT",
      data: { field: "/legalReps" },
    });
    for (const id of [other.legalRepId, "nobody"]) {
      expect((await addAccount(rep(id))).error).toMatchObject({
        code: "NOT_FOUND_LEGAL_REP",
        data: { field: "/legalReps/0/ID" },
      });
    }
    expect((await addAccount({ customerID: consumerId, legalReps: [] })).error).toMatchObject({
      code: "BAD_INPUT",
      data: { field: "/legalReps" },
    });
  });

  it("refuses an unknown customer, pool account and currency", async () => {
    expect((await addAccount({ customerID: "nobody" })).error?.code).toBe("NOT_FOUND_CUSTOMER");
    expect((await addAccount({ activityAccountNumber: "1" })).error?.code).toBe("NOT_FOUND_ACCOUNT");
    for (const currency of ["usd", "XXX", "HRK"]) {
      expect((await addAccount({ currency })).error).toMatchObject({
        code: "BAD_INPUT",
        message: errors.BAD_INPUT.message.replace("{field}", "currency"),
      });
      expect((await addAccount({ customerID: "nobody", currency })).error?.code).toBe("BAD_INPUT");
    }
  });

  it("leaves nothing behind when it is refused", async () => {
    await bank.takeEvents();
    await addAccount({ legalReps: [{ ID: "nobody", name: "x" }] });
    expect(await bank.takeEvents()).toEqual([]);
    expect((await bank.ledger("AccountService.ListAccounts", { PageNumber: 1 })).result.accounts).toEqual([]);
  });
});

describe("what the caller may not see", () => {
  const message = ledgerInterface.methods["AccountService.GetAccount"]?.errors["NOT_FOUND_ACCOUNT"]?.message;
  const absent = { code: "NOT_FOUND_ACCOUNT", message, data: { field: "/ID" } };

  it("is told in no way apart from what does not exist (D-08)", async () => {
    await bank.addUser({ userName: "consumer-app", groups: [consumerId] });
    const { ID } = (await addAccount({})).result;
    for (const [id, by] of [
      ["nothing", "teller"],
      [ID, "other-teller"],
      [ID, "consumer-app"],
    ] as const) {
      expect((await getAccount(id, by)).error).toMatchObject(absent);
    }
    expect((await getAccount(ID)).error).toBeUndefined();
    const opened = await addAccount({ customerID: consumerId }, "consumer-app");
    expect((await getAccount(opened.result.ID, "consumer-app")).error).toBeUndefined();
    expect((await addAccount({}, "consumer-app")).error?.code).toBe("NOT_FOUND_CUSTOMER");
  });

  it("is in no list", async () => {
    await bank.addUser({ userName: "consumer-app", groups: [consumerId] });
    await addAccount({ name: "theirs" });
    await addAccount({ name: "mine", customerID: consumerId });
    const names = async (by: string) => {
      const { result } = await bank.ledger(
        "AccountService.ListAccounts",
        { filter: "accountType != GL" },
        by,
      );
      return result.accounts.map((account: { name: string }) => account.name);
    };
    expect(await names("teller")).toEqual(["theirs", "mine"]);
    expect(await names("consumer-app")).toEqual(["mine"]);
    expect(await names("other-teller")).toEqual([]);
  });
});

describe("UpdateAccountStatus", () => {
  function update(accountNumber: string, status: string): Promise<Answer> {
    return bank.ledger("AccountService.UpdateAccountStatus", { accountNumber, status });
  }

  it("goes from every state to every state, with an event exactly where it changes (D-25)", async () => {
    const { accountNumber, ID } = (await addAccount({})).result;
    await bank.takeEvents();
    let present = "ACTIVE";
    for (const from of accountStatuses) {
      for (const to of accountStatuses) {
        for (const status of [from, to]) {
          bank.clock.advance(1000);
          const { result } = await update(accountNumber, status);
          expect(result).toEqual({
            CustomerId: business.customerId,
            AccountNumber: accountNumber,
            InstitutionId: firstBank,
            Name: "Operating",
            Status: status,
          });
          const events = await bank.takeEvents();
          expect(events).toHaveLength(present === status ? 0 : 1);
          if (present !== status)
            expect(events[0]).toMatchObject({ name: "Account.UPDATE", payload: { status } });
          present = status;
        }
      }
    }
    const { account } = (await getAccount(ID)).result;
    expect(account).toMatchObject({ status: "DISABLED", debit: false, isClosed: false });
  });

  it("shows CLOSED as closed, and keeps it where that is configured", async () => {
    bank = await openBank({ closedIsFinal: true });
    business = await openBusiness(bank);
    const { accountNumber, ID } = (await addAccount({})).result;
    await update(accountNumber, "CLOSED");
    expect((await getAccount(ID)).result.account).toMatchObject({ isClosed: true, debit: false });
    expect((await update(accountNumber, "CLOSED")).error).toBeUndefined();
    await bank.takeEvents();
    expect((await update(accountNumber, "ACTIVE")).error).toMatchObject({
      code: "CONFLICT",
      data: { reason: "closed-is-final" },
    });
    expect(await bank.takeEvents()).toEqual([]);
  });

  it("does not find what is not there, and refuses what is no status", async () => {
    expect((await update("1", "ACTIVE")).error?.code).toBe("NOT_FOUND_ACCOUNT");
    expect((await update("1", "PAUSED")).error?.code).toBe("BAD_INPUT");
  });
});

describe("UpdateAccountCategory", () => {
  function update(AccountNumber: string, AccountCategory: string, by?: string): Promise<Answer> {
    return bank.ledger("AccountService.UpdateAccountCategory", { AccountNumber, AccountCategory }, by);
  }

  it("maps the account to a defined category, without an event (D-39)", async () => {
    await bank.operator("CreateCategory", { name: "Premium" });
    const { accountNumber, ID } = (await addAccount({})).result;
    await bank.takeEvents();
    expect((await update(accountNumber, "Premium")).result.Message).toContain("success");
    expect((await getAccount(ID)).result.account.accountCategory).toBe("Premium");
    expect(await bank.takeEvents()).toEqual([]);
  });

  it("knows the categories of its own institution only", async () => {
    await bank.operator("CreateCategory", { name: "Theirs" }, "other-operator");
    const { accountNumber } = (await addAccount({})).result;
    expect((await update(accountNumber, "Theirs")).error?.code).toBe("NOT_FOUND_CATEGORY");
    expect((await update("1", "Theirs")).error?.code).toBe("NOT_FOUND_ACCOUNT");
  });
});

describe("ListAccounts", () => {
  function list(payload: object): Promise<Answer> {
    return bank.ledger("AccountService.ListAccounts", payload);
  }

  async function namesOf(payload: object): Promise<readonly string[]> {
    const { result } = await list(payload);
    return result.accounts.map((account: { name: string }) => account.name);
  }

  beforeEach(async () => {
    for (let at = 0; at < 17; at += 1) {
      bank.clock.advance(1);
      await addAccount({ name: `account ${at}`, accountType: at % 2 === 0 ? "SAVINGS" : "WALLET" });
    }
  });

  it("gives pages of 15 by creation, and at most 100 (D-31)", async () => {
    const filter = "accountType != GL";
    expect(await namesOf({ filter })).toHaveLength(15);
    expect((await namesOf({ filter }))[0]).toBe("account 0");
    expect(await namesOf({ filter, PageNumber: 2 })).toEqual(["account 15", "account 16"]);
    expect(await namesOf({ filter, pageNumber: 3, pageSize: 5 })).toEqual(
      [10, 11, 12, 13, 14].map((n) => `account ${n}`),
    );
    expect(await namesOf({ PageSize: 100_000 })).toHaveLength(18);
    for (let at = 17; at < 101; at += 1) await addAccount({ name: `account ${at}` });
    expect(await namesOf({ PageSize: 100_000 })).toHaveLength(100);
    expect(await namesOf({ PageSize: 100_000, PageNumber: 2 })).toHaveLength(2);
    expect(await namesOf({ PageNumber: Number.MAX_SAFE_INTEGER, PageSize: 100 })).toEqual([]);
  });

  it("refuses pages below 1 and a request without any of its fields (D-31)", async () => {
    for (const payload of [{}, { PageSize: 0 }, { PageNumber: 0 }, { PageSize: 1.5 }, { unknown: 1 }]) {
      expect((await list(payload)).error?.code).toBe("BAD_INPUT");
    }
  });

  it("filters, and takes an empty filter as none (D-32)", async () => {
    expect(await namesOf({ filter: "accountType=WALLET AND name:1" })).toEqual(
      [1, 11, 13, 15].map((n) => `account ${n}`),
    );
    expect(await namesOf({ filter: 'name = "account 1*" AND NOT accountType = WALLET' })).toHaveLength(4);
    expect(await namesOf({ filter: "balance > 0" })).toEqual([]);
    expect(await namesOf({ filter: "" })).toHaveLength(15);
  });

  it("says where a filter is wrong", async () => {
    expect((await list({ filter: "status = ACTIVE AND" })).error).toMatchObject({
      code: "BAD_INPUT",
      message: errors.BAD_INPUT.message.replace("{field}", "filter"),
      data: { field: "/filter", reason: "filter", column: 20, message: expect.any(String) },
    });
  });

  it("scores the share of listed accounts at risk (D-33)", async () => {
    expect((await list({ PageSize: 10 })).result.riskScore).toBe(0);
    const { result } = await list({ filter: "accountType = WALLET", PageSize: 3 });
    const [{ number }] = result.accounts;
    await bank.ledger("AccountService.UpdateAccountStatus", { accountNumber: number, status: "BLOCKED" });
    expect((await list({ filter: "accountType = WALLET", PageSize: 3 })).result.riskScore).toBe(33);
  });

  it("repeats the number under its second name (D-12)", async () => {
    const [account] = (await list({ PageSize: 1 })).result.accounts;
    expect(account.Number).toBe(account.number);
  });
});

describe("GetSource", () => {
  let id: string;
  beforeEach(async () => {
    const events = [{ name: "Account.NEW", description: "New account created" }];
    id = (await bank.operator("CreateSource", { source: "CORE", events, keyIds: ["key-teller"] })).result
      .sourceId;
  });

  it("finds a source by name, by identifier, and by both", async () => {
    for (const payload of [{ source: "CORE" }, { id }, { source: "CORE", id }]) {
      expect((await bank.ledger("GetSource", payload)).result).toMatchObject({
        id,
        source: "CORE",
        events: [{ name: "Account.NEW", description: "New account created" }],
        keyIds: ["key-teller"],
      });
    }
  });

  it("refuses two fields that do not name the same source (D-36)", async () => {
    const events = [{ name: "Account.NEW", description: "x" }];
    const other = (await bank.operator("CreateSource", { source: "CARDS", events })).result.sourceId;
    for (const payload of [
      { source: "CORE", id: other },
      { source: "CORE", id: "none" },
      { source: "NONE", id },
      { id: "" },
      { source: "" },
    ]) {
      expect((await bank.ledger("GetSource", payload)).error?.code).toBe("BAD_INPUT");
    }
  });

  it("does not find an unknown one, or one of another institution", async () => {
    expect((await bank.ledger("GetSource", { source: "NONE" })).error?.code).toBe("NOT_FOUND_SOURCE");
    expect((await bank.ledger("GetSource", { source: "NONE", id: "none" })).error?.code).toBe(
      "NOT_FOUND_SOURCE",
    );
    expect((await bank.ledger("GetSource", { id }, "other-teller")).error?.code).toBe("NOT_FOUND_SOURCE");
  });

  it("is defined once, with keys that exist", async () => {
    const events = [{ name: "Account.NEW", description: "x" }];
    expect((await bank.operator("CreateSource", { source: "CORE", events })).error?.code).toBe("CONFLICT");
    const foreign = await bank.operator("CreateSource", {
      source: "NEW",
      events,
      keyIds: ["key-other-teller"],
    });
    expect(foreign.error).toMatchObject({ code: "NOT_FOUND_KEY", data: { field: "/keyIds/0" } });
    const keyIds = ["key-teller", "key-teller"];
    expect((await bank.operator("CreateSource", { source: "TWICE", events, keyIds })).error).toBeUndefined();
    const { result } = await bank.ledger("GetSource", { source: "TWICE" });
    expect(result.keyIds).toEqual(["key-teller"]);
    await bank.operator("CreateCategory", { name: "Premium" });
    expect((await bank.operator("CreateCategory", { name: "Premium" })).error?.code).toBe("CONFLICT");
  });
});
