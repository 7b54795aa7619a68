import { postingHash } from "../../ledger/domain/content-hashes.ts";
import { newAccount } from "../../ledger/handlers/services/accounts.ts";
import type { AccountRecord } from "../../ledger/domain/records/accounts.ts";
import type { CustomerRecord } from "../../ledger/domain/records/parties.ts";
import * as bankTables from "../../ledger/tables/index.ts";
import * as engineTables from "../../runtime/store/tables/index.ts";
import type { ColumnValue, Table } from "../../runtime/store/tables/index.ts";
import { accountOpened, added, auditRows, transactionRecorded, type EntryDraft } from "./audit.ts";
import {
  accountIdAt,
  accountNumberAt,
  createdAt,
  currencyOf,
  customerIdAt,
  customerOf,
  drawsOf,
  institutionId,
  startMs,
  type BankPlan,
} from "./plan.ts";
import { busyTransactionAt, postingOf, sidesOf, transactionAt } from "./transactions.ts";
import { usersOf } from "./users.ts";

/** A synthetic bank of any size, the same for the same seed, as rows of tables. */

const tables = { ...engineTables, ...bankTables };

/** Rows of one table, made while they are written. */
export interface BankRows {
  readonly table: string;
  readonly columns: readonly string[];
  readonly count: number;
  readonly rows: Iterable<readonly ColumnValue[]>;
}

const institution = { id: institutionId, name: "Synthetic Bank" };
const accountsPerCustomer = 5;

const firstNames = [
  "Ada",
  "Grace",
  "Alan",
  "Edsger",
  "Barbara",
  "Donald",
  "Radia",
  "Ken",
  "Frances",
  "Leslie",
];
const lastNames = [
  "Okafor",
  "Lindqvist",
  "Moreau",
  "Tanaka",
  "Novak",
  "Silva",
  "Haddad",
  "Kowalski",
  "Byrne",
];
const uses = ["Operating", "Payroll", "Reserve", "Savings", "Taxes", "Escrow", "Travel", "House"];

/**
 * The tables of the bank. Accounts come after postings, from which their balances and the ends of their chains follow:
 * who writes them switches references off. Where there are postings, all has its audit entry, and `verify` finds the
 * bank sound.
 */
export function* bankRows(plan: BankPlan): Iterable<BankRows> {
  const customers = Math.max(20, Math.floor(plan.accounts / accountsPerCustomer));
  yield rowsOf(tables.institutions, 1, () => institution);
  yield rowsOf(tables.customers, customers, customerAt);
  const users = usersOf(plan);
  yield listed(
    tables.users,
    users.map(({ user }) => user),
  );
  yield listed(
    tables.apiKeys,
    users.map(({ apiKey }) => apiKey),
  );
  yield listed(
    tables.deviceKeys,
    users.map(({ deviceKey }) => deviceKey),
  );
  const postings = plan.postings ?? 0;
  const transactions = Math.floor(postings / 2);
  const books = createBooks(plan.accounts);
  yield rowsOf(tables.transactions, plan.busyTransactions ?? 0, (index) =>
    busyTransactionAt(index, customers, plan),
  );
  if (transactions > 0) {
    yield rowsOf(tables.transactions, transactions, (index) => transactionAt(index, customers, plan));
    yield {
      table: "postings",
      columns: tables.postings.columns.map(({ name }) => name),
      count: transactions * 2,
      rows: postingRows(transactions, customers, plan, books),
    };
  }
  yield {
    table: "accounts",
    columns: [...tables.accounts.columns.map(({ name }) => name), "posting_position", "posting_hash"],
    count: plan.accounts,
    rows: accountRows(customers, plan, books),
  };
  if (transactions === 0) return;
  yield {
    table: tables.auditEntries.name,
    columns: tables.auditEntries.columns.map(({ name }) => name),
    count: 1 + customers + users.length * 3 + transactions + plan.accounts,
    rows: auditRows(entriesOf(plan, customers, transactions)),
  };
}

function* entriesOf(plan: BankPlan, customers: number, transactions: number): Iterable<EntryDraft> {
  yield added(tables.institutions, institution);
  for (let at = 0; at < customers; at += 1) yield added(tables.customers, customerAt(at));
  for (const { user, apiKey, deviceKey } of usersOf(plan)) {
    yield added(tables.users, user);
    yield added(tables.apiKeys, apiKey);
    yield added(tables.deviceKeys, deviceKey);
  }
  for (let at = 0; at < plan.accounts; at += 1) yield accountOpened(accountAt(at, customers, plan.seed));
  for (let at = 0; at < transactions; at += 1) {
    const transaction = transactionAt(at, customers, plan);
    yield transactionRecorded(
      transaction,
      [0, 1].map((leg) => postingOf(transaction, leg)),
    );
  }
}

function listed<R>(table: Table<R>, records: readonly R[]): BankRows {
  const columns = table.columns.map(({ name }) => name);
  return { table: table.name, columns, count: records.length, rows: records.map(table.encode) };
}

function rowsOf<R>(table: Table<R>, count: number, at: (index: number) => R): BankRows {
  return {
    table: table.name,
    columns: table.columns.map(({ name }) => name),
    count,
    rows: (function* rows() {
      for (let index = 0; index < count; index += 1) yield table.encode(at(index));
    })(),
  };
}

/** Balances and the ends of chains, by the account's index. */
interface Books {
  readonly ledgers: BigInt64Array;
  readonly positions: Int32Array;
  readonly hashes: string[];
}

function createBooks(accounts: number): Books {
  return {
    ledgers: new BigInt64Array(accounts),
    positions: new Int32Array(accounts),
    hashes: Array.from({ length: accounts }, () => ""),
  };
}

function* accountRows(customers: number, plan: BankPlan, books: Books): Iterable<readonly ColumnValue[]> {
  for (let index = 0; index < plan.accounts; index += 1) {
    const drawn = accountAt(index, customers, plan.seed);
    const ledgerMinor = plan.postings === undefined ? drawn.ledgerMinor : (books.ledgers[index] ?? 0n);
    const head = [books.positions[index] ?? 0, books.hashes[index] ?? ""];
    yield [...tables.accounts.encode({ ...drawn, ledgerMinor }), ...head];
  }
}

function* postingRows(
  transactions: number,
  customers: number,
  plan: BankPlan,
  books: Books,
): Iterable<readonly ColumnValue[]> {
  for (let at = 0; at < transactions; at += 1) {
    const transaction = transactionAt(at, customers, plan);
    for (const [leg, account] of sidesOf(at, plan).entries()) {
      const posting = postingOf(transaction, leg);
      const position = (books.positions[account] ?? 0) + 1;
      const hash = postingHash(posting, { position, previousHash: books.hashes[account] ?? "" });
      books.positions[account] = position;
      books.hashes[account] = hash;
      books.ledgers[account] = (books.ledgers[account] ?? 0n) + posting.amountMinor;
      yield tables.postings.encode({ ...posting, position, hash });
    }
  }
}

function accountAt(index: number, customers: number, seed: number): AccountRecord {
  const draw = drawsOf(index, seed);
  const type = draw(100) < 60 ? "CHECKING" : draw(100) < 80 ? "SAVINGS" : "WALLET";
  const isRare = index % 1_000 === 7;
  return newAccount({
    id: accountIdAt(index),
    institutionId,
    customerId: customerOf(index, customers, seed),
    name: `${pick(firstNames, draw)} ${pick(lastNames, draw)} ${pick(uses, draw)} ${draw(1_000_000)}`,
    number: accountNumberAt(index),
    type: isRare ? "MONEY_MARKET" : type,
    currency: currencyOf(index, seed),
    glAccount: `GL-${100 + draw(12)}`,
    createdAt: createdAt(index),
    category: `Category ${draw(6)}`,
    status: isRare ? "SUSPENDED" : draw(100) < 96 ? "ACTIVE" : "CLOSED",
    ledgerMinor: BigInt(draw(5_000_000)),
    verified: draw(2) === 1,
  });
}

function customerAt(index: number): CustomerRecord {
  return {
    id: customerIdAt(index),
    institutionId,
    type: "CONSUMER",
    name: `Customer ${index}`,
    status: "ACTIVE",
    identification: [],
    contact: {},
    address: {},
    createdAt: startMs,
    updatedAt: startMs,
  };
}

function pick(words: readonly string[], draw: (limit: number) => number): string {
  return words[draw(words.length)] ?? "";
}
