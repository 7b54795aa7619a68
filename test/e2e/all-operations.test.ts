import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ledgerInterface } from "../../generated/ledger/methods.ts";
import { until } from "../until.ts";
import { contractClient, type ContractClient, type Envelope } from "./contract-client.ts";
import { lacking } from "./documented-fields.ts";
import { startServer, type RunningServer } from "./server.ts";

const dataDir = mkdtempSync(join(tmpdir(), "ledger-e2e-"));
const withoutJsonrpc = [
  "AccountService.UpdateAccountStatus",
  "AccountService.UpdateAccountCategory",
  "KeyService.CompleteRegisterDevice",
  "CustomerService.CreateLegalRepLogin",
  "AccountService.ListBeneficiary",
  "AccountService.GetBeneficiary",
  "AccountService.ListAccounts",
];
let server: RunningServer;
let client: ContractClient;
let operator: ContractClient;

async function start(): Promise<void> {
  server = await startServer(dataDir);
  client = contractClient(server.access.baseUrl, server.access);
  operator = contractClient(server.access.operatorUrl, server.access.operator);
}
beforeAll(start);
afterAll(async () => {
  await server.stop();
  client.close();
  operator.close();
  rmSync(dataDir, { recursive: true });
});

/** Calls an operation and holds its envelope to section 1. */
async function ok(method: string, payload: unknown): Promise<Record<string, unknown>> {
  const answer = await client.call(method, payload);
  expect(answer.error, method).toBeUndefined();
  expect(answer.id).toMatch(/^c-[0-9]+$/);
  expect(answer.jsonrpc, method).toBe(withoutJsonrpc.includes(method) ? undefined : "2.0");
  return answer.result ?? {};
}

const code = (answer: Envelope): string | undefined => answer.error?.code;

describe("the documented interface over HTTP, called by a client made from the document alone", () => {
  test("4.1 ListBeneficiary and 4.2 GetBeneficiary, in either spelling", async () => {
    const { accountId, legalRepId, beneficiaryId } = server.access.samples;
    const { beneficiarys } = await ok("AccountService.ListBeneficiary", {
      ID: accountId,
      legalrepId: legalRepId,
    });
    expect(beneficiarys).toEqual([
      expect.objectContaining({ ID: beneficiaryId, legalrepId: legalRepId, legalRepId }),
    ]);
    const again = await ok("AccountService.ListBeneficiary", { ID: accountId, LegalRepId: legalRepId });
    expect(again["beneficiarys"]).toEqual(beneficiarys);
    expect(await ok("AccountService.GetBeneficiary", { ID: beneficiaryId })).toMatchObject({
      ID: beneficiaryId,
      accountId,
      status: "ACTIVE",
    });
  });

  test("4.3 UpdateCustomer keeps what it was not given", async () => {
    const { businessCustomerId } = server.access.samples;
    const result = await ok("CustomerService.UpdateCustomer", {
      ID: businessCustomerId,
      businessNameLegal: "Northwind Traders Inc",
      contact: { email: "new@northwind.example" },
      monthlyProjection: { amount: 123456.78 },
    });
    expect(result).toMatchObject({
      ID: businessCustomerId,
      type: "BUSINESS",
      businessNameLegal: "Northwind Traders Inc",
      dateEstablished: "20110405",
      contact: { email: "new@northwind.example", phoneNumber: "+14155550111" },
      monthlyProjection: { amount: 123456.78, currency: "USD" },
      status: "ACTIVE",
    });
  });

  test("4.4 UpdateLegalRepStatus", async () => {
    const { legalRepId } = server.access.samples;
    for (const status of ["INACTIVE", "ACTIVE"]) {
      expect(await ok("CustomerService.UpdateLegalRepStatus", { ID: legalRepId, status })).toMatchObject({
        ID: legalRepId,
        status,
      });
    }
  });

  test("4.5 GetAccount shows exact balances", async () => {
    const { accountId, accountNumber, businessCustomerId } = server.access.samples;
    const { account } = await ok("AccountService.GetAccount", { ID: accountId });
    expect(account).toMatchObject({
      id: accountId,
      number: accountNumber,
      customerID: businessCustomerId,
      ledgerBalance: 12777.9,
      holdBalance: 75,
      balance: 12702.9,
      currency: "USD",
      currencyCode: "840",
      status: "ACTIVE",
    });
  });

  test("4.6 UpdateShareHolder, with the example's spelling of Id", async () => {
    const { shareHolderId, businessCustomerId } = server.access.samples;
    const result = await ok("CustomerService.UpdateShareHolder", {
      id: shareHolderId,
      customerId: businessCustomerId,
      name: "Tomas B. Berg",
      identification: { type: "SSN", value: "900112233" },
      contact: { phoneNumber: "+14155550199", email: "berg@northwind.example" },
      address: { country: "US", addressLine1: "12 Pine Street", city: "Oakland", state: "CA", zip: "94607" },
      Status: "DISABLED",
    });
    expect(result).toEqual({
      Id: shareHolderId,
      CustomerId: businessCustomerId,
      Name: "Tomas B. Berg",
      EmailID: "berg@northwind.example",
      Status: "DISABLED",
    });
  });

  test("4.7 and 4.8 AddAccount, both forms; 4.9 and 4.10 change it; 4.12 lists it", async () => {
    const { businessCustomerId, consumerCustomerId, legalRepId, accountCategory } = server.access.samples;
    const business = await ok("CustomerService.AddAccount", {
      customerID: businessCustomerId,
      name: "Payroll",
      accountType: "CUSTODIAL",
      CustodialCustomerId: consumerCustomerId,
      custodialType: "ESCROW",
      legalReps: [{ ID: legalRepId, name: "Johanna Lindqvist" }],
      currency: "EUR",
    });
    expect(business).toMatchObject({
      status: "ACTIVE",
      accountType: "CUSTODIAL",
      customerID: businessCustomerId,
    });
    expect(business["accountNumber"]).toMatch(/^[0-9]{15}$/);
    const consumer = await ok("CustomerService.AddAccount", {
      customerID: consumerCustomerId,
      name: "Wallet",
      accountType: "WALLET",
      currency: "JPY",
    });
    expect(consumer).toMatchObject({ accountType: "WALLET", customerID: consumerCustomerId });
    const lacking = await client.call("CustomerService.AddAccount", {
      customerID: businessCustomerId,
      name: "Escrow",
      accountType: "CUSTODIAL",
      currency: "EUR",
    });
    expect(code(lacking)).toBe("BAD_INPUT");

    const accountNumber = consumer["accountNumber"];
    expect(
      await ok("AccountService.UpdateAccountStatus", { accountNumber, Status: "CURTAILED" }),
    ).toMatchObject({
      AccountNumber: accountNumber,
      CustomerId: consumerCustomerId,
      Status: "CURTAILED",
    });
    const updated = await ok("AccountService.UpdateAccountCategory", {
      AccountNumber: accountNumber,
      AccountCategory: accountCategory,
    });
    expect(typeof updated["Message"]).toBe("string");
    const listed = await ok("AccountService.ListAccounts", { filter: `number = "${String(accountNumber)}"` });
    expect(listed["accounts"]).toEqual([
      expect.objectContaining({
        number: accountNumber,
        Number: accountNumber,
        status: "CURTAILED",
        accountCategory,
        balance: 0,
      }),
    ]);
    expect(listed["riskScore"]).toBe(0);
    const page = await ok("AccountService.ListAccounts", { pageNumber: 1, pageSize: 2 });
    expect(page["accounts"]).toHaveLength(2);
  });

  test("4.11 GetTransactionsByRef", async () => {
    const { referenceId, businessCustomerId } = server.access.samples;
    expect(await ok("TransactionService.GetTransactionsByRef", { ReferenceId: referenceId })).toMatchObject({
      ReferenceId: referenceId,
      CustomerId: businessCustomerId,
      Status: "COMPLETED",
      InstructedAmount: { Amount: 1200, Currency: "USD" },
    });
    const { errors = {} } = ledgerInterface.methods["TransactionService.GetTransactionsByRef"] ?? {};
    const empty = await client.call("TransactionService.GetTransactionsByRef", { ReferenceId: "" });
    expect(empty.error).toMatchObject({ code: "BAD_INPUT", message: errors["BAD_INPUT"]?.message });
    const unknown = await client.call("TransactionService.GetTransactionsByRef", { ReferenceId: "none" });
    expect(unknown.error).toMatchObject({
      code: "NOT_FOUND_TRANSACTION",
      message: errors["NOT_FOUND_TRANSACTION"]?.message,
    });
  });

  test("4.13 CompleteRegisterDevice with the one-time password from the mail, signed by the new device", async () => {
    const { userName, apiKey } = server.access;
    const started = await operator.call("StartDeviceRegistration", { userName });
    const OtpToken = started.result?.["OtpToken"];
    const otp = /one-time password is ([0-9]{6})\./.exec(await newestMail("one-time password"))?.[1];
    const device = openssl(["ecparam", "-name", "prime256v1", "-genkey", "-noout"]);
    const privateKeyPem = openssl(["pkcs8", "-topk8", "-nocrypt"], device);
    const PublicKey = openssl(["ec", "-pubout"], device);
    const phone = contractClient(server.access.baseUrl, {
      userName,
      apiKey,
      keyId: "none yet",
      privateKeyPem,
    });
    const registered = await phone.call("KeyService.CompleteRegisterDevice", {
      UserName: userName,
      OtpToken,
      Otp: otp,
      PublicKey,
      MFP: { Model: "Test phone", AndroidInfo: { Brand: "None" } },
    });
    expect(registered.result).toMatchObject({ Status: "SUCCESS" });
    expect(registered.jsonrpc).toBeUndefined();
    phone.close();
    const keyId = String(registered.result?.["KeyId"]);
    const next = contractClient(server.access.baseUrl, { userName, apiKey, keyId, privateKeyPem });
    const read = await next.call("AccountService.GetAccount", { ID: server.access.samples.accountId });
    expect(read.error).toBeUndefined();
    next.close();
  });

  test("4.14 CreateLegalRepLogin sends the login by mail and tells nobody else", async () => {
    const { legalRepId } = server.access.samples;
    const result = await ok("CustomerService.CreateLegalRepLogin", { legalrepID: legalRepId });
    expect(Object.keys(result).toSorted()).toEqual(["ID", "message"]);
    expect(result["ID"]).toBe(legalRepId);
    expect(await newestMail("Authenticator code")).toContain("image/png");
  });

  test("4.15 Create subscription and 4.16 Get source, flat and signed by headers", async () => {
    const { accountNumber, sourceId, source } = server.access.samples;
    const created = await client.flat({
      name: "Bookkeeping",
      callbackUrl: "http://127.0.0.1:9/hook",
      events: ["Transaction.NEW", "Account.UPDATE"],
      groupId: [accountNumber],
    });
    expect(created).toMatchObject({ response: expect.any(String), subscriptionId: expect.any(String) });
    for (const body of [{ source }, { id: sourceId }, { source, id: sourceId }]) {
      expect(await client.flat(body)).toMatchObject({ id: sourceId, source, keyIds: [server.access.keyId] });
    }
    expect(code(await client.flat({ unrelated: true }))).toBe("BAD_INPUT");
  });

  test("the demo's objects show every field that the document lists for them", async () => {
    const { accountId, legalRepId, beneficiaryId, businessCustomerId, shareHolderId, referenceId, sourceId } =
      server.access.samples;
    const result = async (method: string, payload: unknown) => (await client.call(method, payload)).result;
    const customer = { ID: businessCustomerId, businessNameLegal: "Northwind Traders LLC" };
    const shareHolder = {
      Id: shareHolderId,
      customerId: businessCustomerId,
      name: "Tomas Berg",
      identification: { type: "SSN", value: "900112233" },
      contact: { phoneNumber: "+14155550133" },
      address: { country: "US", addressLine1: "12 Pine Street", city: "Oakland", state: "CA", zip: "94607" },
    };
    expect([
      ...lacking(
        "4.1",
        await result("AccountService.ListBeneficiary", { ID: accountId, legalrepId: legalRepId }),
      ),
      ...lacking("4.2", await result("AccountService.GetBeneficiary", { ID: beneficiaryId })),
      ...lacking("4.3", await result("CustomerService.UpdateCustomer", customer)),
      ...lacking("4.5", await result("AccountService.GetAccount", { ID: accountId })),
      ...lacking("4.6", await result("CustomerService.UpdateShareHolder", shareHolder)),
      ...lacking(
        "4.11",
        await result("TransactionService.GetTransactionsByRef", { ReferenceId: referenceId }),
      ),
      ...lacking("4.12", await result("AccountService.ListAccounts", { PageNumber: 1 })),
      ...lacking("4.16", await client.flat({ id: sourceId })),
    ]).toEqual([]);
  });

  test("an account that is opened under no pool shows every field, too", async () => {
    const { businessCustomerId, legalRepId } = server.access.samples;
    const opened = await client.call("CustomerService.AddAccount", {
      customerID: businessCustomerId,
      name: "Second account",
      accountType: "SAVINGS",
      currency: "EUR",
      legalReps: [{ ID: legalRepId, name: "Johanna Lindqvist" }],
    });
    expect(lacking("4.7", opened.result)).toEqual([]);
    const read = await client.call("AccountService.GetAccount", { ID: opened.result?.["ID"] });
    expect(lacking("4.5", read.result)).toEqual([]);
  });

  test("everything is there after a restart", async () => {
    const before = await client.call("AccountService.ListAccounts", { PageSize: 100, filter: "" });
    expect(await server.stop()).toBe(0);
    client.close();
    operator.close();
    await start();
    const after = await client.call("AccountService.ListAccounts", { PageSize: 100, filter: "" });
    expect(after.result).toEqual(before.result);
  });

  test("no secret was printed", () => {
    const { apiKey, privateKeyPem } = server.access;
    for (const secret of [apiKey, privateKeyPem.split("\n")[1] ?? "", "900112233", "900700001"]) {
      expect(server.printed()).not.toContain(secret);
    }
  });
});

async function newestMail(holding: string): Promise<string> {
  const folder = join(dataDir, "mail");
  let found: string | undefined;
  await until(() => {
    const texts = (existsSync(folder) ? readdirSync(folder) : [])
      .filter((name) => name.endsWith(".eml"))
      .toSorted()
      .map((name) => readFileSync(join(folder, name), "utf8"));
    found = texts.findLast((text) => text.includes(holding));
    return found !== undefined;
  });
  return found ?? "";
}

function openssl(args: readonly string[], input = ""): string {
  return execFileSync("openssl", args, { input, stdio: ["pipe", "pipe", "ignore"] }).toString();
}
