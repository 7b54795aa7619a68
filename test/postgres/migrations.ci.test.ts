import pg from "pg";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { MigrationBegun } from "../../runtime/storage/index.ts";
import { openStore } from "../../runtime/storage/index.ts";
import {
  createConnections,
  type Connections,
  type Session,
} from "../../runtime/storage/postgres/connections.ts";
import { applyMigrations, pendingMigrations } from "../../runtime/storage/postgres/migrate.ts";
import { migrations } from "../../runtime/storage/postgres/migrations/index.ts";
import { optionsUnderTest } from "../store-contract/openers.ts";
import { subscription } from "../store-contract/delivery-samples.ts";
import { insertParties, user } from "../store-contract/samples.ts";
import { emptyDatabase, type TestDatabase } from "./databases.ts";

let database: TestDatabase;
let connections: Connections;
let session: Session;
beforeAll(async () => {
  database = await emptyDatabase();
});
beforeEach(async () => {
  await database.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public");
  connections = createConnections(database.url, optionsUnderTest.connections);
  session = await connections.session();
});
afterEach(async () => {
  session.release(new Error("its connection is not used again"));
  await connections.close();
});

const later = {
  number: migrations.length + 1,
  name: "later",
  sql: "ALTER TABLE institutions ADD COLUMN motto TEXT;\nALTER TABLE outbox_events ADD COLUMN motto TEXT;",
};
const known = [...migrations, later];
const columnsSql = "SELECT table_name FROM information_schema.columns WHERE column_name = 'motto'";

test("each migration is told before it is applied", async () => {
  const begun: MigrationBegun[] = [];
  const applied = await applyMigrations(session, { onMigration: (each) => begun.push(each) });
  expect(begun.map(({ name }) => name)).toEqual(applied.map(({ name }) => name));
  expect(begun.at(-1)).toMatchObject({ step: applied.length, steps: applied.length });
});

/** Rows as the release wrote them whose newest migration is the one of this number. */
const rowsOf = (version: number): readonly string[] => [
  `INSERT INTO institutions VALUES ('bank-${version}', 'Bank')`,
  "INSERT INTO outbox_events (id, institution_id, name, source, account_numbers, customer_id, payload_json, created_at) " +
    `VALUES ('e${version}', 'bank-${version}', 'Account.NEW', 's', '[]', 'c1', '{}', ${version})`,
  `INSERT INTO outbox_mails (id, message_sealed, attempts, next_attempt_at, created_at) VALUES ('m${version}', 's', 3, 7, 1)`,
  `INSERT INTO answers (request_hash, result_json, created_at) VALUES ('h${version}', '{"of":${version}}', 1)`,
];

test("data of every schema version is kept by all later migrations", async () => {
  const versions = migrations.map(({ number }) => number);
  for (const version of versions) {
    await applyMigrations(session, { known: migrations.slice(0, version) });
    for (const sql of rowsOf(version)) await database.execute(sql);
  }
  const store = await openStore(database.url, { ...optionsUnderTest, migrate: true });
  const events = await store.read((view) => view.outboxEvents.list(99));
  expect(events.map(({ id }) => id)).toEqual(versions.map((version) => `e${version}`));
  const mails = await store.read((view) => view.outboxMails.due(7, 99));
  expect(mails).toHaveLength(versions.length);
  for (const mail of mails) expect(mail).toMatchObject({ kind: "unknown", state: "PENDING", failures: 0 });
  const institutions = await store.read((view) =>
    Promise.all(versions.map((version) => view.institutions.find(`bank-${version}`))),
  );
  expect(institutions.map((institution) => institution?.name)).toEqual(versions.map(() => "Bank"));
  const answers = await database.execute("SELECT result_json FROM answers ORDER BY result_json");
  expect(answers.toSorted()).toEqual(versions.map((version) => [`{"of":${version}}`]).toSorted());
  await store.close();
});

test("records that entries say less of than verification compares get an entry that says it", async () => {
  const store = await openStore(database.url, { ...optionsUnderTest, migrate: true });
  await store.transact(async (tx) => {
    await insertParties(tx);
    await tx.apiKeys.insert({ id: "k", userName: user.userName, hash: "h", createdAt: 1 });
    await tx.subscriptions.insert({ ...subscription, userName: user.userName });
  });
  const wrong = async () => {
    const { findings } = await store.verify({});
    // An account's entries always said all.
    return findings
      .filter(({ kind, table }) => kind === "record" && table !== "accounts")
      .map(({ table }) => table);
  };
  expect(await wrong()).toContain("api_keys");
  const known = migrations.slice(0, 8);
  expect(known.at(-1)?.name).toBe("restate-records");
  const again = (): Promise<unknown> =>
    database
      .execute("DELETE FROM migrations WHERE number >= 8")
      .then(() => applyMigrations(session, { known }));
  await again();
  expect(await wrong()).toEqual([]);
  const counted = await database.execute("SELECT count(*) FROM audit_entries");
  await again();
  expect(await database.execute("SELECT count(*) FROM audit_entries")).toEqual(counted);
  await store.close();
});

/** Entries of two institutions, as the release before wrote them: with a sequence where a reader had come by. */
async function appendFormer(ids: readonly string[], from?: number): Promise<void> {
  for (const [index, id] of ids.entries()) {
    const sequence = from === undefined ? "NULL" : from + index;
    await database.execute(
      "INSERT INTO audit_entries (sequence, institution_id, subject_type, subject_id, position, operation, changed_at, " +
        `changes, hash) VALUES (${sequence}, '${id.charAt(0)}', 'key', '${id}', 1, 'o', 1, '[]', '')`,
    );
  }
  if (from === undefined) return;
  await database.execute(`UPDATE audit_numbers SET last = ${from + ids.length - 1}`);
}

test("audit entries of before, and those of a process of the release before, are numbered per institution", async () => {
  await applyMigrations(session, { known: migrations.filter(({ number }) => number < 12) });
  await appendFormer(["b1", "a1", "b2"], 1);
  await appendFormer(["a2"]);
  const store = await openStore(database.url, { ...optionsUnderTest, migrate: true });
  const entriesOf = (institutionId: string) =>
    store.read(async (view) =>
      (await view.audit.list({ institutionId, limit: 9 })).map(({ sequence, number, subjectId }) =>
        [sequence, number, subjectId].join(" "),
      ),
    );
  expect(await entriesOf("a")).toEqual(["4 2 a2", "2 1 a1"]);
  expect(await entriesOf("b")).toEqual(["3 2 b2", "1 1 b1"]);
  // A process that still runs gives a sequence and no number, or neither.
  await appendFormer(["b3", "a3"], 5);
  await appendFormer(["a4", "b4"]);
  expect(await entriesOf("a")).toEqual(["7 4 a4", "6 3 a3", "4 2 a2", "2 1 a1"]);
  expect(await entriesOf("b")).toEqual(["8 4 b4", "5 3 b3", "3 2 b2", "1 1 b1"]);
  await store.close();
});

test("a migration whose process dies in the middle leaves nothing, and is applied afterwards", async () => {
  await applyMigrations(session);
  const holder = await holdTable("outbox_events");
  const [[victim] = []] = await session.rowsOnce("SELECT pg_backend_pid()", []);
  const broken = applyMigrations(session, { known, lockWaitMs: 60_000 });
  const failed = expect(broken).rejects.toThrow(/Migration \d+ \(later\) failed and was undone/);
  await untilWaiting(1);
  // What the server sees of a process that was killed: its connection ends.
  await database.execute(`SELECT pg_terminate_backend(${victim})`);
  await failed;
  expect(await database.execute(columnsSql)).toEqual([]);
  await holder.query("COMMIT");
  await holder.end();
  const again = await connections.session();
  expect(await applyMigrations(again, { known })).toEqual([later]);
  expect(await pendingMigrations(again, known)).toEqual([]);
  again.release();
  expect(await database.execute(columnsSql)).toHaveLength(2);
});

test("while a migration waits for a table that others hold, those who ask after it go on", async () => {
  await applyMigrations(session);
  const holder = await holdTable("outbox_events");
  const applying = applyMigrations(session, { known, lockWaitMs: 20 });
  await untilWaiting(1);
  // Behind a lock that is waited for without an end, this would wait for the holder.
  await database.execute("SELECT count(*) FROM outbox_events; SELECT count(*) FROM institutions");
  await holder.query("COMMIT");
  await holder.end();
  expect(await applying).toEqual([later]);
});

/** A transaction that has read the table, such as a backup. */
async function holdTable(table: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query("BEGIN");
  await client.query(`SELECT count(*) FROM ${table}`);
  return client;
}

/** Until so many connections wait for a lock. */
async function untilWaiting(count: number): Promise<void> {
  const sql =
    "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
  while ((await database.execute(sql)).length < count);
}

/** The previous release runs until the last process is replaced: it writes rows without what a migration adds. */
test("no migration takes away or requires what the previous release does not know", () => {
  for (const { name, sql } of migrations.slice(1)) {
    const statements = sql.split(/;\n/);
    const breaking = statements.filter(
      (statement) =>
        // Where a value may be absent from now on, it is one that the previous release does not select.
        /\b(?:DROP(?! NOT NULL| INDEX)|RENAME|ALTER COLUMN(?! \w+ DROP NOT NULL)|SET NOT NULL|ADD CONSTRAINT|CREATE UNIQUE INDEX)\b/i.test(
          statement,
        ) ||
        (/\bADD COLUMN\b/i.test(statement) && /\bNOT NULL\b(?!.*\bDEFAULT\b)/i.test(statement)),
    );
    expect({ name, breaking }).toEqual({ name, breaking: [] });
  }
});
