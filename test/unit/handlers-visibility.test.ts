import { beforeEach, describe, expect, it } from "vitest";
import { firstBank, openBank, type Bank } from "./handlers-bank.ts";
import { openAccount, openBusiness, type Business } from "./handlers-people.ts";

let bank: Bank;
let own: Business;
let other: Business;

beforeEach(async () => {
  bank = await openBank();
  own = await openBusiness(bank);
  other = await openBusiness(bank);
  await bank.addUser({ userName: "narrow", customerIds: [own.customerId] });
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
  const keptLogin = () => bank.store.read((view) => view.portalLogins.find(firstBank, own.legalRepId));

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
