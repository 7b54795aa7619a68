import { closeSync, openSync, writeSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { openSqliteStore } from "../bank-stores.ts";
import { writeMigratedFile } from "../migrated-file.ts";
import { openBank, publicKeyPem, type Bank } from "./handlers-bank.ts";
import { transfer } from "./handlers-transfers.ts";

export const pageBytes = 4096;

/** Each of six postings. */
const transfers = 36;

/** Books of one bank in a file: every state of accounts and transactions, and more than a few pages of postings. */
export async function writeBooks(file: string): Promise<void> {
  await writeMigratedFile(file);
  const store = await openSqliteStore({ file, migrate: false });
  const bank = await openBank({}, store);
  const customerId = await customerOf(bank, "Blue Door Bakery");
  const otherId = await customerOf(bank, "Corner Shop");
  const [shop, till, rent] = [
    await accountOf(bank, customerId),
    await accountOf(bank, customerId),
    await accountOf(bank, otherId),
  ];
  const record = async (payload: object): Promise<void> => {
    const { error } = await bank.operator("RecordTransaction", { CustomerId: customerId, ...payload });
    if (error !== undefined) throw new Error(error.message);
  };
  await recordParties(bank, customerId, till);
  await record(transfer(undefined, shop, { amount: 10_000 }));
  for (let index = 1; index <= transfers; index += 1) {
    await record(transfer(shop, till, { amount: index, Fees: [{ Amount: 1, Currency: "USD", Tax: 0.1 }] }));
  }
  for (const Status of ["FAILED", "DECLINED", "CANCELLED"]) await record(transfer(till, rent, { Status }));
  await record({ ...transfer(till, rent, { Status: "PENDING", amount: 7 }), ReferenceId: "PENDING-1" });
  const pending = { ...transfer(till, undefined, { Status: "PENDING" }), ReferenceId: "DECIDED-1" };
  await record({ ...pending, Fees: [{ Amount: 2, Currency: "USD" }] });
  await bank.operator("UpdateTransactionStatus", { ReferenceId: "DECIDED-1", Status: "COMPLETED" });
  await bank.ledger("AccountService.UpdateAccountStatus", { accountNumber: rent, status: "DORMANT" });
  await record(transfer(till, rent, { amount: 3 }));
  await bank.ledger("AccountService.UpdateAccountStatus", { accountNumber: till, status: "CURTAILED" });
  await store.close();
}

/** A record of every other table that has audit entries, some of them changed since. */
async function recordParties(bank: Bank, customerId: string, accountNumber: string): Promise<void> {
  const told = async (answer: ReturnType<Bank["operator"]>) => {
    const { error, result } = await answer;
    if (error !== undefined) throw new Error(error.message);
    return result;
  };
  const ask = (method: string, payload: object) => told(bank.operator(method, payload));
  const { legalRepId } = await ask("AddLegalRep", { customerId, name: "Ada", email: "ada@door.example" });
  await told(bank.ledger("CustomerService.CreateLegalRepLogin", { legalrepID: legalRepId }));
  const user = { userName: "till-erp", email: "it@door.example", customerIds: [customerId] };
  const { userName } = await ask("IssueCredential", user);
  const { KeyId } = await ask("RegisterKey", { userName, PublicKey: publicKeyPem });
  await ask("StartDeviceRegistration", { userName });
  await ask("RevokeKey", { KeyId });
  await ask("RevokeCredential", { userName });
  await ask("CreateCategory", { name: "Gold", description: "Shops" });
  const subscription = { name: "Till", callbackUrl: "https://till.example/hook", events: ["Account.NEW"] };
  const { subscriptionId } = await told(
    bank.ledger("CreateSubscription", { ...subscription, groupId: [accountNumber] }),
  );
  const former = await told(
    bank.ledger("CreateSubscription", { ...subscription, name: "Former", groupId: [accountNumber] }),
  );
  await ask("GetSubscriptionSecret", { subscriptionId: former.subscriptionId });
  await ask("SendTestEvent", { subscriptionId: former.subscriptionId });
  await ask("DeleteSubscription", { subscriptionId: former.subscriptionId });
  await ask("UpdateSubscription", { subscriptionId, enabled: false });
}

async function customerOf(bank: Bank, businessNameLegal: string): Promise<string> {
  const answer = await bank.operator("CreateCustomer", {
    type: "BUSINESS",
    businessNameLegal,
    dateEstablished: "20110405",
    generalBusinessDescription: "Bakery",
    monthlyProjection: { amount: 100, currency: "USD" },
    identification: [{ type: "TIN", value: "900700001" }],
    contact: { email: "office@door.example", phoneNumber: "+14155550111" },
    address: { addressLine1: "1", city: "B", state: "CA", country: "US", zip: "94111" },
  });
  return answer.result.customerId;
}

async function accountOf(bank: Bank, customerID: string): Promise<string> {
  const answer = await bank.ledger("CustomerService.AddAccount", {
    customerID,
    name: "Account",
    accountType: "CHECKING",
    currency: "USD",
  });
  return answer.result.accountNumber;
}

/** Writes to a file as somebody with the `sqlite3` shell would, who knows the tables and not the program. */
export function writeBehind(file: string, sql: string): void {
  const database = new DatabaseSync(file, { enableForeignKeyConstraints: false });
  try {
    database.exec(sql);
    database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  } finally {
    database.close();
  }
}

/** The first page of a table or an index. */
export function rootPageOf(file: string, name: string): number {
  return Number(askFile(file, `SELECT rootpage FROM sqlite_schema WHERE name = '${name}'`));
}

export function pagesOf(file: string): number {
  return Number(askFile(file, "PRAGMA page_count"));
}

/** The only value that a question gives. */
export function askFile(file: string, sql: string): unknown {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return Object.values(database.prepare(sql).get() ?? {})[0];
  } finally {
    database.close();
  }
}

/** Overwrites pages as a broken disk does. */
export function destroyPages(file: string, pages: readonly number[]): void {
  const descriptor = openSync(file, "r+");
  for (const page of pages)
    writeSync(descriptor, Buffer.alloc(pageBytes, 0xa5), 0, pageBytes, (page - 1) * pageBytes);
  closeSync(descriptor);
}
