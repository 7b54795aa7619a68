import { DatabaseSync } from "node:sqlite";
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { expect, test } from "vitest";
import { openSqliteStore } from "../../runtime/storage/sqlite/index.ts";
import { applyMigrations } from "../../runtime/storage/sqlite/migrate.ts";
import { migrations } from "../../runtime/storage/sqlite/migrations/index.ts";
import {
  accountWith,
  bank,
  customer,
  insertParties,
  legalRep,
  otherBank,
  postingsOf,
  transactionWith,
  user,
} from "../store-contract/samples.ts";
import { fileForEachTest } from "./storage-folder.ts";

const file = fileForEachTest();

/** Transactions in the order of their time, one of them with two postings on one account. */
const transactions = [
  { id: "t2", createdAt: 1, legs: [["a", -5n] as const, ["b", 5n] as const] },
  { id: "t1", createdAt: 2, legs: [["a", -7n] as const, ["c", 3n] as const, ["c", 4n] as const] },
  { id: "t3", createdAt: 3, legs: [["b", -1n] as const, ["a", 1n] as const] },
];

/** A database as it was before there were chains, filled from one of now. */
function formerDatabase(): void {
  mkdirSync(dirname(file()), { recursive: true });
  const database = new DatabaseSync(file());
  const former = migrations.filter(({ number }) => number < 6);
  applyMigrations(database, file(), former);
  database.exec(`ATTACH '${file()}.now' AS now`);
  for (const table of [
    "institutions",
    "users",
    "customers",
    "legal_reps",
    "accounts",
    "transactions",
    "postings",
  ]) {
    const names = database
      .prepare(`SELECT name FROM pragma_table_info(?)`)
      .all(table)
      .map(({ name }) => String(name))
      .join(", ");
    database.exec(`INSERT INTO main.${table} (${names}) SELECT ${names} FROM now.${table}`);
  }
  database.close();
}

async function fill(name: string): Promise<void> {
  const store = await openSqliteStore({ file: name, migrate: true });
  await store.transact(async (tx) => {
    await insertParties(tx);
    for (const id of ["a", "b", "c", "unused"]) await tx.accounts.insert(accountWith(id));
    for (const { id, createdAt, legs } of transactions) {
      await tx.transactions.insert(transactionWith(id, { createdAt }));
      await tx.postings.append(postingsOf(id, legs, { createdAt }));
    }
  });
  await store.close();
}

test("what was kept before there were chains is linked as if it had been written now", async () => {
  await fill(`${file()}.now`);
  formerDatabase();
  const store = await openSqliteStore({ file: file(), migrate: true });
  const entries = await store.read((view) => view.audit.after(0, 100));
  expect(entries.map((entry) => [entry.subjectType, entry.subjectId, entry.position])).toEqual([
    ...["a", "account-1", "b", "c", "unused"].map((id) => ["account", id, 1]),
    ...["t1", "t2", "t3"].map((id) => ["transaction", id, 1]),
    ["institution", bank.id, 1],
    ["institution", otherBank.id, 1],
    ["user", user.userName, 1],
    ["customer", customer.id, 1],
    ["legal-rep", legalRep.id, 1],
  ]);
  for (const { operation, contentHash } of entries.slice(0, 8)) {
    expect(operation).toBe("migration");
    expect(contentHash).toMatch(/^[0-9a-f]{64}$/);
  }
  const { findings } = await store.verify();
  expect(findings.filter(({ kind }) => kind === "record")).toEqual([]);
  await store.transact(async (tx) => {
    await tx.transactions.insert(transactionWith("later"));
    await tx.postings.append(
      postingsOf("later", [
        ["a", -1n],
        ["c", 1n],
      ]),
    );
  });
  await store.close();

  const now = await openSqliteStore({ file: `${file()}.now`, migrate: true });
  await now.transact(async (tx) => {
    await tx.transactions.insert(transactionWith("later"));
    await tx.postings.append(
      postingsOf("later", [
        ["a", -1n],
        ["c", 1n],
      ]),
    );
  });
  await now.close();
  expect(chainsOf(file())).toEqual(chainsOf(`${file()}.now`));
});

function chainsOf(name: string): readonly unknown[] {
  const database = new DatabaseSync(name);
  try {
    return [
      ...database.prepare("SELECT * FROM postings ORDER BY account_id, position").all(),
      ...database.prepare("SELECT id, ledger_minor, posting_position, posting_hash FROM accounts").all(),
    ];
  } finally {
    database.close();
  }
}

test.each([
  { institutions: 1, institutionId: "bank-0" },
  { institutions: 2, institutionId: undefined },
])("a mail that waits in a database of $institutions institution(s) goes on", async (of) => {
  mkdirSync(dirname(file()), { recursive: true });
  const database = new DatabaseSync(file());
  applyMigrations(
    database,
    file(),
    migrations.filter(({ number }) => number < 18),
  );
  for (let index = 0; index < of.institutions; index += 1)
    database.exec(`INSERT INTO institutions VALUES ('bank-${index}', 'Bank')`);
  database.exec("INSERT INTO outbox_mails VALUES ('m', 'sealed', 3, 7, 5)");
  database.close();
  const store = await openSqliteStore({ file: file(), migrate: true });
  const [mail] = await store.read((view) => view.outboxMails.due(7, 1));
  expect(mail).toEqual({
    id: "m",
    messageSealed: "sealed",
    kind: "unknown",
    state: "PENDING",
    attempts: 3,
    failures: 0,
    dueAt: 7,
    createdAt: 5,
    ...(of.institutionId !== undefined && { institutionId: of.institutionId }),
  });
  await store.close();
});

test("audit entries of before are numbered per institution, in their order", async () => {
  mkdirSync(dirname(file()), { recursive: true });
  const database = new DatabaseSync(file());
  applyMigrations(
    database,
    file(),
    migrations.filter(({ number }) => number < 21),
  );
  const insert = database.prepare(
    `INSERT INTO audit_entries (institution_id, subject_type, subject_id, position, operation, changed_at, changes, hash)
     VALUES (?, 'key', ?, 1, 'o', 1, '[]', '')`,
  );
  for (const [index, institutionId] of ["b", "a", "b", "b", "a"].entries())
    insert.run(institutionId, `k${index}`);
  database.close();
  const store = await openSqliteStore({ file: file(), migrate: true });
  await store.transact((tx) =>
    tx.audit.append({
      institutionId: "a",
      subjectType: "key",
      subjectId: "new",
      operation: "o",
      changedAt: 2,
      changes: [],
    }),
  );
  const numbersOf = (institutionId: string) =>
    store.read(async (view) =>
      (await view.audit.list({ institutionId, after: 0, limit: 9 })).map(({ sequence, number }) => [
        sequence,
        number,
      ]),
    );
  expect(await numbersOf("a")).toEqual([
    [2, 1],
    [5, 2],
    [6, 3],
  ]);
  expect(await numbersOf("b")).toEqual([
    [1, 1],
    [3, 2],
    [4, 3],
  ]);
  await store.close();
});
