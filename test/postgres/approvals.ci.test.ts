import { afterAll, beforeAll, expect, test } from "vitest";
import type { Store } from "../../runtime/store/ports/index.ts";
import { openStore } from "../bank-stores.ts";
import { optionsUnderTest } from "../store-contract/openers.ts";
import { openBank, type Bank } from "../unit/handlers-bank.ts";
import { openAccount, openBusiness, type Business } from "../unit/handlers-people.ts";
import { balancesOf, transfer } from "../unit/handlers-transfers.ts";
import { testDatabase, type TestDatabase } from "./databases.ts";

let database: TestDatabase;
let store: Store;
let bank: Bank;
let business: Business;

beforeAll(async () => {
  database = await testDatabase();
  store = await openStore(database.url, { ...optionsUnderTest, migrate: true });
  const approvals = { moneyAbove: 100, credentials: true, accounts: true, validHours: 24 };
  bank = await openBank({ approvals }, store);
  for (const userName of ["second", "third", "fourth"]) await bank.addUser({ userName, realm: "operator" });
  business = await openBusiness(bank);
});
afterAll(async () => {
  await store.close();
  await database.dispose();
});

test("of several operators who approve at once one does, and the money moves once", async () => {
  const { customerId } = business;
  const { ID, accountNumber } = await openAccount(bank, customerId);
  const change = transfer(undefined, accountNumber, { amount: 1_000, CustomerId: customerId });
  const asked = { operation: "RecordTransaction", payload: JSON.stringify(change) };
  const { proposalId, digest } = (await bank.operator("ProposeChange", asked)).result.proposal;
  const answers = await Promise.all(
    ["second", "third", "fourth"].map((by) => bank.operator("ApproveProposal", { proposalId, digest }, by)),
  );
  const reasons = answers.map(({ error }) => error?.data?.reason);
  expect(reasons.toSorted()).toEqual(["decided", "decided", undefined]);
  expect((await balancesOf(bank, ID)).balance).toBe(1_000);
  expect((await store.verify()).findings).toEqual([]);
});

test("lists of operators go on from page to page", async () => {
  const { customerId } = business;
  const { accountNumber } = await openAccount(bank, customerId);
  for (let index = 0; index < 3; index += 1) {
    bank.clock.advance(1_000);
    const deposit = transfer(undefined, accountNumber, { ReferenceId: `L-${index}`, CustomerId: customerId });
    expect((await bank.operator("RecordTransaction", deposit)).error).toBeUndefined();
    await bank.operator("CreateCategory", { name: `Category ${index}` });
    const payload = JSON.stringify({ accountNumber, status: "BLOCKED" });
    await bank.operator("ProposeChange", { operation: "SetAccountStatus", payload });
  }
  const all = async (method: string, list: string, name: string, asked: object = {}) => {
    const found: string[] = [];
    let after: string | undefined;
    do {
      const { result } = await bank.operator(method, { ...asked, pageSize: 2, ...(after && { after }) });
      found.push(...result[list].map((each: Readonly<Record<string, string>>) => each[name]));
      after = result.next;
    } while (after !== undefined);
    return found;
  };
  const references = await all("SearchTransactions", "transactions", "ReferenceId", {
    CustomerId: customerId,
  });
  expect(references.slice(0, 3)).toEqual(["L-2", "L-1", "L-0"]);
  expect(await all("ListCategories", "categories", "name")).toEqual([
    "Category 0",
    "Category 1",
    "Category 2",
  ]);
  const open = await all("ListProposals", "proposals", "proposalId", { state: "OPEN" });
  expect(open).toEqual(open.toSorted().toReversed());
  expect(open).toHaveLength(3);
  expect(await all("ListLegalReps", "legalReps", "legalRepId", { customerId })).toEqual([
    business.legalRepId,
  ]);
  expect(await all("ListShareHolders", "shareHolders", "shareHolderId", { customerId })).toEqual([
    business.shareHolderId,
  ]);
});
