import { beforeEach, expect, test } from "vitest";
import { openBank, type Bank } from "./handlers-bank.ts";
import { arturo, openAccount, openBusiness, openConsumer } from "./handlers-people.ts";
import { transfer } from "./handlers-transfers.ts";

let bank: Bank;
beforeEach(async () => {
  bank = await openBank();
});

type Ids = readonly string[];

/** The identifiers of a list, page by page, as an operator reads all of it. */
async function listed(
  method: string,
  payload: object,
  list: string,
  id: string,
  by?: string,
): Promise<Ids[]> {
  const pages: Ids[] = [];
  let after: string | undefined;
  do {
    const answer = await bank.operator(method, { ...payload, ...(after && { after }) }, by);
    expect(answer.error).toBeUndefined();
    pages.push(answer.result[list].map((each: Readonly<Record<string, string>>) => each[id]));
    after = answer.result.next;
  } while (after !== undefined);
  return pages;
}

const { name: _, ...holder } = arturo;

test("an operator reads a customer and its people, and lists them page by page", async () => {
  const { customerId, legalRepId, shareHolderId } = await openBusiness(bank);
  await openBusiness(bank);
  const added = await bank.operator("AddLegalRep", { customerId, name: "Ada", email: "ada@x.example" });
  const holders = [shareHolderId];
  for (const name of ["Ann", "Bo"])
    holders.push(
      (await bank.operator("AddShareHolder", { customerId, name, ...holder })).result.shareHolderId,
    );

  const { customer } = (await bank.operator("GetCustomer", { customerId })).result;
  expect(customer).toMatchObject({ customerId, type: "BUSINESS", status: "ACTIVE" });
  const reps = [legalRepId, added.result.legalRepId].toSorted();
  expect(await listed("ListLegalReps", { customerId, pageSize: 1 }, "legalReps", "legalRepId")).toEqual(
    reps.map((id) => [id]),
  );
  expect(
    await listed("ListShareHolders", { customerId, pageSize: 2 }, "shareHolders", "shareHolderId"),
  ).toEqual([holders.toSorted().slice(0, 2), holders.toSorted().slice(2)]);
  const { shareHolders } = (await bank.operator("ListShareHolders", { customerId })).result;
  expect(JSON.stringify(shareHolders), "a list holds no identification").not.toMatch(/900121234|19770630/);
  const { shareHolder } = (await bank.operator("GetShareHolder", { shareHolderId: holders[1] })).result;
  expect(shareHolder).toMatchObject({ ...holder, shareHolderId: holders[1], status: "ENABLED" });
  const rep = (await bank.operator("GetLegalRep", { legalRepId })).result.legalRep;
  expect(rep).toMatchObject({ legalRepId, customerId, status: "ACTIVE" });
  const consumer = await openConsumer(bank);
  expect((await bank.operator("GetCustomer", { customerId: consumer })).result.customer.type).toBe(
    "CONSUMER",
  );
});

test("the beneficiaries of an account are listed, whoever added them", async () => {
  const { customerId, legalRepId } = await openBusiness(bank);
  const { ID: accountId, accountNumber } = await openAccount(bank, customerId);
  const other = await bank.operator("AddLegalRep", { customerId, name: "Ada", email: "ada@x.example" });
  const payee = {
    type: "INDIVIDUAL",
    firstName: "Maya",
    lastName: "Okafor",
    accountNumber: "4402317756",
    accountType: "S",
    bankDetail: { bankName: "Harbor National Bank" },
  };
  const ids: string[] = [];
  for (const by of [legalRepId, other.result.legalRepId, legalRepId]) {
    const added = await bank.operator("AddBeneficiary", { ...payee, accountId, legalRepId: by });
    ids.push(added.result.beneficiaryId);
  }
  const pages = await listed(
    "ListBeneficiaries",
    { accountNumber, pageSize: 2 },
    "beneficiaries",
    "beneficiaryId",
  );
  expect(pages).toEqual([ids.toSorted().slice(0, 2), ids.toSorted().slice(2)]);
  const { beneficiary } = (await bank.operator("GetBeneficiary", { beneficiaryId: ids[0] })).result;
  expect(beneficiary).toMatchObject({ ID: ids[0], lastName: "Okafor", legalrepId: legalRepId });
});

test("categories and sources are listed and read by name", async () => {
  for (const name of ["Gold", "Silver"]) await bank.operator("CreateCategory", { name });
  const events = [{ name: "Account.NEW", description: "New account created" }];
  await bank.operator("CreateSource", { source: "CARDS", events });
  expect(await listed("ListCategories", { pageSize: 1 }, "categories", "name")).toEqual(
    expect.arrayContaining([["Gold"], ["Silver"]]),
  );
  expect((await listed("ListSources", {}, "sources", "source")).flat()).toContain("CARDS");
  expect((await bank.operator("GetCategory", { name: "Gold" })).result.category.name).toBe("Gold");
  expect((await bank.operator("GetSource", { source: "CARDS" })).result.source).toMatchObject({ events });
  expect((await bank.operator("GetCategory", { name: "Lead" })).error?.code).toBe("NOT_FOUND_CATEGORY");
  expect((await bank.operator("GetSource", { source: "LEAD" })).error?.code).toBe("NOT_FOUND_SOURCE");
});

test("transactions are searched by time, status, customer and amount, the newest first", async () => {
  const [one, two] = [await openBusiness(bank), await openBusiness(bank)];
  const accounts = [await openAccount(bank, one.customerId), await openAccount(bank, two.customerId)];
  const began = bank.clock.now();
  for (let index = 0; index < 6; index += 1) {
    bank.clock.advance(1_000);
    const side = index % 2;
    const deposit = transfer(undefined, accounts[side]?.accountNumber ?? "", {
      ReferenceId: `S-${index}`,
      CustomerId: [one, two][side]?.customerId ?? "",
      Status: index < 2 ? "PENDING" : "COMPLETED",
      InstructedAmount: { Amount: 10 * (index + 1), Currency: "USD" },
    });
    expect((await bank.operator("RecordTransaction", deposit)).error).toBeUndefined();
  }
  const search = async (asked: object, by?: string): Promise<Ids[]> =>
    listed("SearchTransactions", asked, "transactions", "ReferenceId", by);
  const at = (seconds: number) => new Date(began + seconds * 1_000).toISOString();
  expect(await search({ pageSize: 4 })).toEqual([
    ["S-5", "S-4", "S-3", "S-2"],
    ["S-1", "S-0"],
  ]);
  expect(await search({ from: at(2), to: at(4) })).toEqual([["S-2", "S-1"]]);
  expect(await search({ Status: "PENDING" })).toEqual([["S-1", "S-0"]]);
  expect(await search({ CustomerId: one.customerId, minimumAmount: 30 })).toEqual([["S-4", "S-2"]]);
  expect(await search({ type: "VOID" })).toEqual([[]]);
  const unknown = await bank.operator("SearchTransactions", { CustomerId: "nobody" });
  expect(unknown.error).toMatchObject({ code: "NOT_FOUND_CUSTOMER", data: { field: "/CustomerId" } });

  await bank.addUser({ userName: "branch", realm: "operator", groups: [two.customerId] });
  expect(await search({}, "branch")).toEqual([["S-5", "S-3", "S-1"]]);
  expect((await bank.operator("SearchTransactions", { after: "*" })).error?.data?.field).toBe("/after");
});

test("users and subscriptions are listed by customer, and foreign people are not found", async () => {
  const [own, other] = [await openBusiness(bank), await openBusiness(bank)];
  await bank.addUser({ userName: "of-own", groups: [own.customerId] });
  await bank.addUser({ userName: "of-both", groups: [own.customerId, other.customerId] });
  await bank.addUser({ userName: "of-other", groups: [other.customerId] });
  const { customerId } = own;
  expect(await listed("ListUsers", { customerId, pageSize: 1 }, "users", "userName")).toEqual([
    ["of-both"],
    ["of-own"],
  ]);
  const names: string[] = [];
  for (const [index, { customerId: of }] of [own, other, own, own].entries()) {
    const { accountNumber } = await openAccount(bank, of);
    const { result } = await bank.ledger("CreateSubscription", {
      name: `Number ${index}`,
      callbackUrl: "https://hooks.example/",
      events: ["Account.UPDATE"],
      groupId: [accountNumber],
    });
    if (of === customerId) names.push(result.subscriptionId);
  }
  expect(
    await listed("ListSubscriptions", { customerId, pageSize: 2 }, "subscriptions", "subscriptionId"),
  ).toEqual([names.toSorted().slice(0, 2), names.toSorted().slice(2)]);

  await bank.addUser({ userName: "branch", realm: "operator", groups: [other.customerId] });
  for (const [method, payload, code] of [
    ["GetCustomer", { customerId }, "NOT_FOUND_CUSTOMER"],
    ["ListLegalReps", { customerId }, "NOT_FOUND_CUSTOMER"],
    ["ListShareHolders", { customerId }, "NOT_FOUND_CUSTOMER"],
    ["ListUsers", { customerId }, "NOT_FOUND_CUSTOMER"],
    ["ListSubscriptions", { customerId }, "NOT_FOUND_CUSTOMER"],
    ["GetLegalRep", { legalRepId: own.legalRepId }, "NOT_FOUND_LEGAL_REP"],
    ["GetShareHolder", { shareHolderId: own.customerId }, "NOT_FOUND_SHAREHOLDER"],
    ["ListBeneficiaries", { accountNumber: "999" }, "NOT_FOUND_ACCOUNT"],
    ["GetBeneficiary", { beneficiaryId: "999" }, "NOT_FOUND_BENEFICIARY"],
  ] as const)
    expect((await bank.operator(method, payload, "branch")).error?.code, method).toBe(code);
});
