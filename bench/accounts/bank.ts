/** A synthetic bank of any size, the same for the same seed: written straight into the tables of a migrated file. */
import { createHash } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import { newAccount } from "../../runtime/handlers/services/new-account.ts";
import type { AccountRecord, CustomerRecord, UserRecord } from "../../runtime/ports/index.ts";
import { insertStatement } from "../../runtime/storage/sql/statements.ts";
import { sqliteDialect, sqliteValue } from "../../runtime/storage/sqlite/dialect.ts";
import { migrate } from "../../runtime/storage/sqlite/index.ts";
import * as tables from "../../runtime/storage/tables/index.ts";

export interface BankPlan {
  readonly file: string;
  readonly accounts: number;
  readonly seed: number;
  /** SPKI PEM of the key that all its users sign with. */
  readonly publicKeyPem: string;
  /** The API key of all its users. */
  readonly apiKey: string;
}

export const institutionId = "021000021";
/** Users by what they see. */
export const bankUsers = { all: "bench-all", one: "bench-one", many: "bench-many" } as const;

const startMs = Date.UTC(2020, 0, 1);
/** One account in two minutes. */
const betweenMs = 120_000;
const accountsPerCustomer = 5;
const rowsPerCommit = 50_000;

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

/** Creates the file. Balances come without postings: it is for reading, and `verify` finds it unsound. */
export async function buildBank(plan: BankPlan): Promise<void> {
  await migrate(plan.file);
  const database = new DatabaseSync(plan.file);
  database.exec(
    "PRAGMA journal_mode = DELETE; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF; PRAGMA cache_size = -600000",
  );
  const inserter = <R>(table: tables.Table<R>): ((record: R) => void) => {
    const statement = database.prepare(insertStatement(table, sqliteDialect).sql);
    return (record) => void statement.run(...table.encode(record).map(sqliteValue));
  };
  const customers = Math.max(20, Math.floor(plan.accounts / accountsPerCustomer));
  database.exec("BEGIN");
  inserter(tables.institutions)({ id: institutionId, name: "Synthetic Bank" });
  const insertCustomer = inserter(tables.customers);
  for (let index = 0; index < customers; index += 1) insertCustomer(customerAt(index));
  insertUsers(plan, inserter(tables.users), inserter(tables.apiKeys), inserter(tables.deviceKeys));
  const insertAccount = inserter(tables.accounts);
  for (let index = 0; index < plan.accounts; index += 1) {
    insertAccount(accountAt(index, customers, plan.seed));
    if (index % rowsPerCommit === rowsPerCommit - 1) database.exec("COMMIT; BEGIN");
  }
  database.exec("COMMIT; PRAGMA journal_mode = WAL");
  database.close();
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
    customerId: customerIdAt(draw(customers)),
    name: `${pick(firstNames, draw)} ${pick(lastNames, draw)} ${pick(uses, draw)} ${draw(1_000_000)}`,
    number: accountNumberAt(index),
    type: isRare ? "MONEY_MARKET" : type,
    currency: draw(100) < 90 ? "USD" : "EUR",
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

function insertUsers(
  { apiKey, publicKeyPem }: BankPlan,
  insertUser: (record: UserRecord) => void,
  insertKey: (record: Parameters<typeof tables.apiKeys.encode>[0]) => void,
  insertDeviceKey: (record: Parameters<typeof tables.deviceKeys.encode>[0]) => void,
): void {
  const seen: Readonly<Record<keyof typeof bankUsers, readonly string[] | undefined>> = {
    all: undefined,
    one: [customerIdAt(7)],
    many: Array.from({ length: 20 }, (_, index) => customerIdAt(index)),
  };
  const names = ["all", "one", "many"] as const;
  const extra = Array.from({ length: 8 }, (_, index) => [`hostile-${index}`, undefined] as const);
  const users = [...names.map((name) => [bankUsers[name], seen[name]] as const), ...extra];
  for (const [userName, customerIds] of users) {
    insertUser({
      userName,
      institutionId,
      realm: "ledger",
      email: `${userName}@example.com`,
      scopes: ["*"],
      ...(customerIds !== undefined && { customerIds }),
      otpFailures: 0,
      createdAt: startMs,
    });
    const hash = createHash("sha256").update(apiKey).digest("hex");
    insertKey({ id: `api-${userName}`, userName, hash, createdAt: startMs });
    insertDeviceKey({
      keyId: keyIdOf(userName),
      userName,
      publicKeyPem,
      status: "ACTIVE",
      createdAt: startMs,
    });
  }
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
