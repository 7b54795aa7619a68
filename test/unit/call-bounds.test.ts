import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { StatementSync } from "node:sqlite";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { RpcError } from "../../runtime/contract/index.ts";
import { admin } from "../../ledger/handlers/services/admin.ts";
import { auditPage, seesUser } from "../../runtime/operations/admin/index.ts";
import type { AuditRecord, DeliveryRecord, Page, Store } from "../../runtime/store/ports/index.ts";
import { openSqliteStore } from "../bank-stores.ts";
import { sealer } from "../../runtime/operations/system/index.ts";
import { writeMigratedFile } from "../migrated-file.ts";
import { firstBank, openBank, type Bank } from "./handlers-bank.ts";
import { openAccount, openBusiness, type Business } from "./handlers-people.ts";
import { transfer } from "./handlers-transfers.ts";
import {
  accountById,
  accounts,
  legalRepById,
  legalReps,
  accountByNumber,
  customerById,
  customers,
} from "../../ledger/tables/index.ts";
import { apiKeys, deliveries, deviceKeys, events } from "../../runtime/store/tables/index.ts";
import { delivery, event } from "../store-contract/delivery-samples.ts";

/** The most that one call costs, whatever a caller sends or has: counted, never timed. */
const folder = mkdtempSync(join(tmpdir(), "bounds-"));
let store: Store;
let bank: Bank;
let business: Business;
let numbers: readonly string[];

beforeAll(async () => {
  const file = join(folder, "ledger.sqlite");
  await writeMigratedFile(file);
  store = await openSqliteStore({ file, migrate: true, sealer: () => sealer(new Uint8Array(32)) });
  bank = await openBank({}, store);
  business = await openBusiness(bank);
  const { ID } = await openAccount(bank, business.customerId);
  await store.write(async (tx) => {
    const account = await tx.one(accountById, firstBank, ID);
    if (account === undefined) throw new Error("the account was not opened");
    const more = Array.from({ length: 999 }, (_, index) => ({
      ...account,
      id: `more-${index}`,
      number: `9${String(index).padStart(6, "0")}`,
    }));
    for (const each of more) await tx.insert(accounts, each);
    numbers = [account, ...more].map(({ number }) => number);
  });
});
afterAll(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

/** The texts of the statements that some work has executed. */
async function statementsOf(work: () => Promise<unknown>): Promise<readonly string[]> {
  const texts: string[] = [];
  const spies = (["get", "all", "run"] as const).map((name) => {
    const original = StatementSync.prototype[name];
    return vi.spyOn(StatementSync.prototype, name).mockImplementation(function (
      this: StatementSync,
      ...values: Parameters<typeof original>
    ) {
      texts.push(this.sourceSQL);
      return Reflect.apply(original, this, values);
    });
  });
  try {
    await work();
    return texts;
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

test("a subscription to 1,000 accounts finds all of them at once", async () => {
  const request = { name: "All", callbackUrl: "https://hooks.example.com/", events: ["Account.UPDATE"] };
  const texts = await statementsOf(async () => {
    const { error } = await bank.ledger("CreateSubscription", { ...request, groupId: numbers });
    expect(error).toBeUndefined();
  });
  expect(texts.filter((text) => /FROM accounts/.test(text)).length).toBe(2);
  const { error } = await bank.ledger("CreateSubscription", {
    ...request,
    groupId: [...numbers.slice(0, 5), "123", "456"],
  });
  expect(error).toMatchObject({ code: "NOT_FOUND_ACCOUNT", data: { field: "/groupId/5" } });
});

test("an account of 1,000 legal representatives finds all of them at once", async () => {
  const legalRep = await store.read((view) => view.one(legalRepById, firstBank, business.legalRepId));
  if (legalRep === undefined) throw new Error("the representative was not added");
  const ids = Array.from({ length: 1_000 }, (_, index) => `rep-${index}`);
  await store.write(async (tx) => {
    for (const id of ids) await tx.insert(legalReps, { ...legalRep, id });
  });
  const account = { customerID: business.customerId, name: "All", accountType: "CHECKING", currency: "USD" };
  const asked = { ...account, legalReps: ids.map((ID) => ({ ID, name: "Ada" })) };
  let opened = "";
  const found = (texts: readonly string[]): number =>
    texts.filter((text) => /FROM legal_reps/.test(text)).length;
  const adding = await statementsOf(async () => {
    opened = (await bank.ledger("CustomerService.AddAccount", asked)).result.ID;
  });
  const reading = await statementsOf(async () => {
    const { result } = await bank.ledger("AccountService.GetAccount", { ID: opened });
    expect(result.account.legalReps).toHaveLength(1_000);
  });
  expect([found(adding), found(reading)]).toEqual([1, 1]);
});

test("a beneficiary is added without reading those that there are", async () => {
  const [number = ""] = numbers;
  const account = await store.read((view) => view.one(accountByNumber, firstBank, number));
  const payee = {
    accountId: account?.id,
    legalRepId: business.legalRepId,
    type: "INDIVIDUAL",
    firstName: "Maya",
    lastName: "Okafor",
    accountNumber: "4402317756",
    accountType: "S",
  };
  const texts = await statementsOf(async () => {
    expect((await bank.operator("AddBeneficiary", payee)).error).toBeUndefined();
  });
  const selected = texts.filter((text) => /FROM beneficiaries/.test(text));
  expect(selected.map((text) => text.startsWith("SELECT count"))).toEqual([true]);
});

test("1,000 fees with taxes look the bank's accounts up once", async () => {
  const fee = { Amount: 1, Currency: "USD", Tax: 0.5 };
  const [number] = numbers;
  const record = (count: number) => async (): Promise<void> => {
    const { error } = await bank.operator("RecordTransaction", {
      ...transfer(undefined, number, { amount: 10_000 }),
      CustomerId: business.customerId,
      Fees: Array.from({ length: count }, () => fee),
    });
    expect(error).toBeUndefined();
  };
  await record(1)();
  const reads = async (count: number): Promise<number> =>
    (await statementsOf(record(count))).filter((text) => text.startsWith("SELECT")).length;
  expect(await reads(1_000)).toBe(await reads(1));
});

test("a list of deliveries looks at 2,000 and says where to go on", async () => {
  const delivery = (index: number): DeliveryRecord => ({
    id: `d${String(index).padStart(5, "0")}`,
    institutionId: firstBank,
    subscriptionId: "s",
    eventId: "e",
    eventName: "Account.UPDATE",
    topics: [index === 0 ? "wanted" : "other"],
    sequence: index,
    generation: 0,
    state: index === 0 ? "HELD" : "DELIVERED",
    attempts: 1,
    failures: 0,
    createdAt: index,
  });
  const all = Array.from({ length: 4_500 }, (_, index) => delivery(index)).toReversed();
  const read: number[] = [];
  const pagesOf = async (asked: object): Promise<readonly (readonly unknown[])[]> => {
    read.length = 0;
    return store.read(async (view) => {
      const page = async <R>(asked: Page<R>): Promise<readonly R[]> => {
        if (!("query" in asked)) return view.page(asked);
        const id = asked.query.after === undefined ? undefined : asked.values.at(-2);
        const from = id === undefined ? 0 : all.findIndex((each) => each.id === id) + 1;
        const found = all.slice(from, from + Number(asked.values.at(-1)));
        read.push(found.length);
        return Object(found);
      };
      const context = {
        store: { ...view, page },
        caller: { userName: "operator", institutionId: firstBank },
        error: (code: "BAD_INPUT") => new RpcError(code),
      };
      const pages: (readonly unknown[])[] = [];
      for (let after: string | undefined, isFirst = true; isFirst || after !== undefined; isFirst = false) {
        const page = await admin.listDeliveries(
          { ...asked, ...(after === undefined ? {} : { after }) },
          context,
        );
        pages.push(page.deliveries.map(({ deliveryId }) => deliveryId));
        after = page.next;
      }
      return pages;
    });
  };
  for (const asked of [
    { topic: "wanted" },
    { subscriptionId: "s", state: "HELD" },
    { state: "HELD" },
    { subscriptionId: "s", topic: "wanted", state: "HELD" },
  ]) {
    expect(await pagesOf(asked)).toEqual([[], [], ["d00000"]]);
    expect(read).toEqual([2_000, 2_000, 500]);
  }
  const plain = await pagesOf({ subscriptionId: "s", pageSize: 100 });
  expect(plain).toHaveLength(45);
  expect(Math.max(...read)).toBe(101);
});

test("an operator who sees 1,000 customers compares each with a user's once", () => {
  let reads = 0;
  const counted = (ids: readonly string[]): readonly string[] =>
    new Proxy(ids, {
      get(target, name) {
        if (typeof name === "string" && /^\d+$/.test(name)) reads += 1;
        return Reflect.get(target, name);
      },
    });
  const ids = Array.from({ length: 1_000 }, (_, index) => `customer-${index}`);
  const caller = { userName: "operator", institutionId: firstBank, groups: counted(ids) };
  const user = {
    userName: "user",
    institutionId: firstBank,
    realm: "ledger",
    email: "user@example.com",
    scopes: ["*"],
    groups: counted(ids.toReversed()),
    otpFailures: 0,
    createdAt: 0,
  };
  expect(seesUser(caller, user, "operator")).toBe(true);
  expect(reads).toBeLessThanOrEqual(2_000);
  expect(seesUser(caller, { ...user, groups: ["stranger"] }, "operator")).toBe(false);
});

test("a list of customers reads no more of an operator's 1,000 than its page", async () => {
  const customerIds = [business.customerId, ...Array.from({ length: 999 }, (_, index) => `zz-${index}`)];
  const customer = await store.read((view) => view.one(customerById, firstBank, business.customerId));
  if (customer === undefined) throw new Error("the customer was not added");
  await store.write(async (tx) => {
    for (const id of customerIds.slice(1)) await tx.insert(customers, { ...customer, id });
  });
  await bank.addUser({ userName: "narrow", realm: "operator", groups: customerIds });
  const texts = await statementsOf(async () => {
    const { result } = await bank.operator("ListCustomers", { pageSize: 10 }, "narrow");
    expect(result.customers).toHaveLength(10);
    expect(result.next).toBeDefined();
  });
  expect(texts.filter((text) => /FROM customers/.test(text)).length).toBe(11);
});

test("a user's revoked API keys are neither compared by calls nor read beyond the last 1,000", async () => {
  await bank.addUser({ userName: "rotated" });
  await store.write(async (tx) => {
    for (let index = 0; index < 1_100; index += 1) {
      const id = `old-${String(index).padStart(4, "0")}`;
      await tx.insert(apiKeys, { id, userName: "rotated", hash: id, createdAt: index, revokedAt: index });
    }
  });
  const { result } = await bank.operator("GetUser", { userName: "rotated" });
  expect(result.apiKeys).toHaveLength(1_000);
  expect(result.apiKeys.at(-1).apiKeyId).toBe("api-rotated");
  expect((await bank.partner("ListKeys", { activeOnly: true }, "rotated")).result.apiKeys).toHaveLength(1);
});

test("of a user's signing keys those are shown that are not revoked, then the last ones, and none is added to 1,000", async () => {
  await bank.addUser({ userName: "many-keys" });
  const key = (index: number, status: "ACTIVE" | "REVOKED") => ({
    keyId: `${status}-${String(index).padStart(4, "0")}`,
    userName: "many-keys",
    status,
    fingerprintJson: "{}",
    createdAt: index,
  });
  await store.write(async (tx) => {
    await tx.insert(deviceKeys, key(0, "ACTIVE"));
    for (let index = 1; index <= 1_100; index += 1) await tx.insert(deviceKeys, key(index, "REVOKED"));
  });
  const texts = await statementsOf(async () => {
    const { keys } = (await bank.operator("GetUser", { userName: "many-keys" })).result;
    expect(keys).toHaveLength(1_000);
    expect(keys.map(({ KeyId }: { KeyId: string }) => KeyId).slice(0, 2)).toEqual([
      "ACTIVE-0000",
      expect.stringMatching(/^REVOKED/),
    ]);
  });
  expect(texts.filter((text) => /SELECT.*fingerprint_json.*FROM device_keys/s.test(text))).toEqual([]);
  await store.write(async (tx) => {
    for (let index = 1; index < 1_000; index += 1) await tx.insert(deviceKeys, key(index, "ACTIVE"));
  });
  const refused = { code: "CONFLICT", data: { reason: "too-many-keys", limit: 1_000 } };
  const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const PublicKey = publicKey.export({ type: "spki", format: "pem" }).toString();
  const registered = await bank.operator("RegisterKey", { userName: "many-keys", PublicKey });
  expect(registered.error).toMatchObject(refused);
  const started = await bank.operator("StartDeviceRegistration", { userName: "many-keys" });
  expect(started.error).toMatchObject(refused);
});

test("1,000 customers of a credential, or keys of a source, are found at once", async () => {
  const customer = await store.read((view) => view.one(customerById, firstBank, business.customerId));
  if (customer === undefined) throw new Error("the customer was not added");
  const customerIds = Array.from({ length: 1_000 }, (_, index) => `bound-${index}`);
  const keyIds = Array.from({ length: 1_000 }, (_, index) => `source-key-${index}`);
  await bank.addUser({ userName: "key-owner" });
  await store.write(async (tx) => {
    await tx.insert(customers, ...customerIds.map((id) => ({ ...customer, id })));
    const key = { userName: "key-owner", status: "ACTIVE", createdAt: 1 } as const;
    await tx.insert(deviceKeys, ...keyIds.map((keyId) => ({ ...key, keyId })));
  });
  const issued = { userName: "bound", email: "bound@example.com" };
  const source = { source: "many keys", events: [{ name: "Account.NEW", description: "A new account" }] };
  const texts = await statementsOf(async () => {
    expect((await bank.operator("IssueCredential", { ...issued, customerIds })).error).toBeUndefined();
    expect((await bank.operator("CreateSource", { ...source, keyIds })).error).toBeUndefined();
  });
  const counted = (pattern: RegExp): number => texts.filter((text) => pattern.test(text)).length;
  expect([counted(/FROM customers/), counted(/key_id.*FROM device_keys/s)]).toEqual([1, 1]);
  const unknown = { ...issued, userName: "other", customerIds: [...customerIds.slice(0, 5), "nobody"] };
  expect((await bank.operator("IssueCredential", unknown)).error).toMatchObject({
    code: "NOT_FOUND_CUSTOMER",
    data: { field: "/customerIds/5" },
  });
});

test("statistics of a subscription count no further than 10,000", async () => {
  const [number = ""] = numbers;
  const request = { name: "Full", callbackUrl: "https://hooks.example.com/", events: ["Account.UPDATE"] };
  const made = await bank.ledger("CreateSubscription", { ...request, groupId: [number] });
  const { subscriptionId } = made.result;
  await store.write(async (tx) => {
    const each = Array.from({ length: 10_010 }, (_, index) => `statistics-${index}`);
    await tx.insert(events, ...each.map((id) => ({ ...event, id, institutionId: firstBank })));
    const held = each.map((eventId, index) => ({
      ...delivery,
      id: `held-${index}`,
      eventId,
      institutionId: firstBank,
      subscriptionId,
      state: "HELD" as const,
      dueAt: index,
    }));
    await tx.insert(deliveries, ...held);
  });
  const { subscription } = (await bank.operator("GetSubscription", { subscriptionId })).result;
  expect(subscription.statistics).toMatchObject({ held: 10_000, waiting: 0 });
});

test("a list of audit entries that hold much stops after a million characters, and says where to go on", async () => {
  const entry = (number: number): AuditRecord => ({
    sequence: number,
    number,
    institutionId: firstBank,
    subjectType: "source",
    subjectId: `source-${number}`,
    position: 1,
    hash: "",
    operation: "CreateSource",
    changes: [{ field: "events", to: "x".repeat(100_000) }],
    changedAt: 0,
  });
  const all = Array.from({ length: 120 }, (_, index) => entry(120 - index));
  const read: number[] = [];
  const shown = await store.read(async (view) => {
    const list = async <R>(asked: Page<R>): Promise<readonly R[]> => {
      const [, ...place] = "query" in asked ? asked.values.map(Number) : [];
      const [limit, before = Infinity] = place.toReversed();
      const found = all.filter(({ number }) => number < before).slice(0, limit);
      read.push(found.length);
      return Object(found);
    };
    const context = {
      store: { ...view, page: list },
      caller: { userName: "operator", institutionId: firstBank },
      error: (code: "BAD_INPUT") => new RpcError(code),
    };
    const pages: (readonly number[])[] = [];
    for (let after: string | undefined, isFirst = true; isFirst || after !== undefined; isFirst = false) {
      const page = await auditPage(context, { pageSize: 200, ...(after === undefined ? {} : { after }) });
      pages.push(page.entries.map(({ number }) => number));
      after = page.next;
    }
    return pages;
  });
  expect(shown.flat()).toEqual(all.map(({ number }) => number));
  expect(shown.map(({ length }) => length)).toEqual([51, 51, 18]);
  expect(Math.max(...read)).toBe(51);
});

test("a beneficiary of more than 4 KiB is refused: a list has 1,000 of them", async () => {
  const payee = { accountId: "none", legalRepId: "none", type: "INDIVIDUAL", firstName: "Maya" };
  const { error } = await bank.operator("AddBeneficiary", {
    ...payee,
    lastName: "é".repeat(2_048),
    accountNumber: "4402317756",
    accountType: "S",
  });
  expect(error).toMatchObject({ code: "BAD_INPUT", data: { reason: "beneficiary-too-long" } });
});

test("a page of transactions with many fees each is refused, and smaller pages are served", async () => {
  const { ID } = await openAccount(bank, business.customerId);
  const account = await store.read((view) => view.one(accountById, firstBank, ID));
  const fee = { Amount: 1, Currency: "USD", TransactionNumber: "1".repeat(4_000) };
  for (let index = 0; index < 17; index += 1) {
    const { error } = await bank.operator("RecordTransaction", {
      ...transfer(undefined, account?.number),
      CustomerId: business.customerId,
      Status: "FAILED",
      Fees: Array.from({ length: 60 }, () => fee),
    });
    expect(error).toBeUndefined();
  }
  const page = (pageSize: number) =>
    bank.operator("ListTransactions", { accountNumber: account?.number, pageSize });
  const refused = { code: "BAD_INPUT", data: { field: "/pageSize", reason: "page-too-large" } };
  expect((await page(17)).error).toMatchObject(refused);
  expect((await page(10)).result.transactions).toHaveLength(10);
});
