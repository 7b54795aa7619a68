/** A synthetic bank of any size, the same for the same seed, as rows of tables. */
import { createHash } from "node:crypto";
import { postingHash } from "../../runtime/domain/index.ts";
import { newAccount } from "../../runtime/handlers/services/accounts/new-account.ts";
import type {
  AccountRecord,
  CustomerRecord,
  PostingRecord,
  TransactionRecord,
} from "../../runtime/ports/index.ts";
import * as tables from "../../runtime/storage/tables/index.ts";
import type { ColumnValue, Table } from "../../runtime/storage/tables/index.ts";

export interface BankPlan {
  readonly accounts: number;
  /** Two for each transaction between two accounts. Default: none, and balances come without postings. */
  readonly postings?: number;
  /** Transactions of the first account, beside those of `postings` and without postings. Default: none. */
  readonly busyTransactions?: number;
  readonly seed: number;
  /** SPKI PEM of the key that all its users sign with. */
  readonly publicKeyPem: string;
  /** The API key of all its users. */
  readonly apiKey: string;
}

/** Rows of one table, made while they are written. */
export interface BankRows {
  readonly table: string;
  readonly columns: readonly string[];
  readonly count: number;
  readonly rows: Iterable<readonly ColumnValue[]>;
}

export const institutionId = "021000021";
/** Users by what they see. */
export const bankUsers = {
  all: "bench-all",
  one: "bench-one",
  many: "bench-many",
  operator: "bench-operator",
} as const;

const startMs = Date.UTC(2020, 0, 1);
/** One account in two minutes. */
const betweenMs = 120_000;
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
 * The tables of the bank. Accounts come last, for their balances and the ends of their chains follow from the postings:
 * who writes them switches references off. There are no audit entries: `verify` finds the bank unsound.
 */
export function* bankRows(plan: BankPlan): Iterable<BankRows> {
  const customers = Math.max(20, Math.floor(plan.accounts / accountsPerCustomer));
  yield rowsOf(tables.institutions, 1, () => ({ id: institutionId, name: "Synthetic Bank" }));
  yield rowsOf(tables.customers, customers, customerAt);
  yield* usersOf(plan);
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
    const { id, currency, amountMinor, createdAt: madeAt } = transactionAt(at, customers, plan);
    for (const [leg, account] of sidesOf(at, plan).entries()) {
      const posting: PostingRecord = {
        id: `${id}/${leg}`,
        institutionId,
        transactionId: id,
        accountId: accountIdAt(account),
        currency,
        amountMinor: leg === 0 ? -amountMinor : amountMinor,
        createdAt: madeAt,
      };
      const position = (books.positions[account] ?? 0) + 1;
      const hash = postingHash(posting, { position, previousHash: books.hashes[account] ?? "" });
      books.positions[account] = position;
      books.hashes[account] = hash;
      books.ledgers[account] = (books.ledgers[account] ?? 0n) + posting.amountMinor;
      yield tables.postings.encode({ ...posting, position, hash });
    }
  }
}

/** The indexes of the two accounts that the money of a transaction moves between: of the same currency. */
function sidesOf(index: number, { accounts, seed }: BankPlan): readonly [debtor: number, creditor: number] {
  const draw = drawsOf(index, seed + 1);
  const debtor = draw(accounts);
  const currency = currencyOf(debtor, seed);
  let creditor = (debtor + 1 + draw(accounts - 1)) % accounts;
  while (creditor === debtor || currencyOf(creditor, seed) !== currency) creditor = (creditor + 1) % accounts;
  return [debtor, creditor];
}

function transactionAt(index: number, customers: number, plan: BankPlan): TransactionRecord {
  const [debtor, creditor] = sidesOf(index, plan);
  const draw = drawsOf(index, plan.seed + 2);
  const amountMinor = BigInt(1 + draw(500_000));
  const id = `01JT${String(index).padStart(22, "0")}`;
  const documentJson = JSON.stringify({ ReferenceID: id, Amount: Number(amountMinor) / 100 });
  return {
    id,
    institutionId,
    referenceId: `R${index}`,
    customerId: customerOf(debtor, customers, plan.seed),
    status: "COMPLETED",
    currency: currencyOf(debtor, plan.seed),
    amountMinor,
    debtorAccountId: accountIdAt(debtor),
    creditorAccountId: accountIdAt(creditor),
    documentJson,
    contentHash: createHash("sha256").update(documentJson).digest("hex"),
    createdAt: createdAt(index),
    updatedAt: createdAt(index),
  };
}

/** The first account is its debtor, then its creditor, in turns. */
function busyTransactionAt(index: number, customers: number, plan: BankPlan): TransactionRecord {
  const other = 1 + drawsOf(index, plan.seed + 5)(plan.accounts - 1);
  const [debtor, creditor] = index % 2 === 0 ? [0, other] : [other, 0];
  const id = `01JB${String(index).padStart(22, "0")}`;
  const [referenceId, customerId] = [`B${index}`, customerOf(0, customers, plan.seed)];
  const amountMinor = BigInt(1 + index);
  const currency = currencyOf(0, plan.seed);
  const sideOf = (account: number) => ({
    AccountNumber: accountNumberAt(account),
    InstitutionId: institutionId,
  });
  const documentJson = JSON.stringify({
    type: "RTP_IN",
    mode: "PG",
    Status: "COMPLETED",
    ReferenceId: referenceId,
    CustomerId: customerId,
    TimeStamp: new Date(createdAt(index)).toISOString(),
    TransactionId: id,
    credit: true,
    InstructedAmount: { Amount: Number(amountMinor) / 100, Currency: currency },
    Fees: [],
    DebtorAccount: sideOf(debtor),
    CreditorAccount: sideOf(creditor),
  });
  return {
    id,
    institutionId,
    referenceId,
    customerId,
    status: "COMPLETED",
    currency,
    amountMinor,
    debtorAccountId: accountIdAt(debtor),
    creditorAccountId: accountIdAt(creditor),
    documentJson,
    contentHash: createHash("sha256").update(documentJson).digest("hex"),
    createdAt: createdAt(index),
    updatedAt: createdAt(index),
  };
}

function customerOf(index: number, customers: number, seed: number): string {
  return customerIdAt(drawsOf(index, seed + 4)(customers));
}

function currencyOf(index: number, seed: number): string {
  return drawsOf(index, seed + 3)(100) < 90 ? "USD" : "EUR";
}

export function accountIdAt(index: number): string {
  return `01JD${String(index).padStart(22, "0")}`;
}

export function accountNumberAt(index: number): string {
  return String(100_000_000_000_000 + index * 7);
}

export function customerIdAt(index: number): string {
  return `01JC${String(index).padStart(22, "0")}`;
}

/** When the account was created, in milliseconds. */
export function createdAt(index: number): number {
  return startMs + index * betweenMs;
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

function* usersOf({ apiKey, publicKeyPem }: BankPlan): Iterable<BankRows> {
  const seen: Readonly<Record<keyof typeof bankUsers, readonly string[] | undefined>> = {
    all: undefined,
    one: [customerIdAt(7)],
    many: Array.from({ length: 20 }, (_, index) => customerIdAt(index)),
    operator: undefined,
  };
  const names = ["all", "one", "many", "operator"] as const;
  const extra = Array.from({ length: 8 }, (_, index) => [`hostile-${index}`, undefined] as const);
  const users = [...names.map((name) => [bankUsers[name], seen[name]] as const), ...extra];
  const nameAt = (index: number): string => users[index]?.[0] ?? "";
  yield rowsOf(tables.users, users.length, (index) => {
    const customerIds = users[index]?.[1];
    return {
      userName: nameAt(index),
      institutionId,
      realm: nameAt(index) === bankUsers.operator ? "operator" : "ledger",
      email: `${nameAt(index)}@example.com`,
      scopes: ["*"],
      ...(customerIds !== undefined && { customerIds }),
      otpFailures: 0,
      createdAt: startMs,
    };
  });
  const hash = createHash("sha256").update(apiKey).digest("hex");
  yield rowsOf(tables.apiKeys, users.length, (index) => {
    return { id: `api-${nameAt(index)}`, userName: nameAt(index), hash, createdAt: startMs };
  });
  yield rowsOf(tables.deviceKeys, users.length, (index) => {
    const [userName, status] = [nameAt(index), "ACTIVE" as const];
    return { keyId: keyIdOf(userName), userName, publicKeyPem, status, createdAt: startMs };
  });
}

export function keyIdOf(userName: string): string {
  return `key-${userName}`;
}

function pick(words: readonly string[], draw: (limit: number) => number): string {
  return words[draw(words.length)] ?? "";
}

/** Numbers that depend on the place and the seed alone (a xorshift generator). */
function drawsOf(index: number, seed: number): (limit: number) => number {
  let state = (Math.imul(index + 1, 0x9e3779b1) ^ Math.imul(seed + 1, 0x85ebca6b)) >>> 0 || 1;
  return (limit) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state % limit;
  };
}
