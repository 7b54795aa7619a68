import pg from "pg";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { schema } from "../../ledger/schema.ts";
import type { MigrationBegun } from "../../runtime/store/index.ts";
import {
  createConnections,
  type Connections,
  type Session,
} from "../../runtime/store/postgres/connections.ts";
import { applyMigrations, pendingMigrations } from "../../runtime/store/postgres/migrate.ts";
import { versions as versionsOf } from "../../runtime/store/postgres/schema.ts";
import { optionsUnderTest } from "../store-contract/openers.ts";
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

const versions = versionsOf(schema);
const knownWith = (...steps: readonly { readonly name: string; readonly sql: string }[]) => ({
  ...versions,
  migrations: [
    ...versions.migrations,
    ...steps.map((step) => ({ ...step, checksum: step.sql, columns: [] })),
  ],
});
const later = {
  name: "later",
  sql: "ALTER TABLE institutions ADD COLUMN motto TEXT;\nALTER TABLE outbox_events ADD COLUMN motto TEXT;",
};
const lastNumber = versions.baseline + versions.migrations.length;
const applied = [{ ...later, number: lastNumber + 1 }];
const known = knownWith(later);
const columnsSql = "SELECT table_name FROM information_schema.columns WHERE column_name = 'motto'";

test("each migration is told before it is applied", async () => {
  const begun: MigrationBegun[] = [];
  const made = await applyMigrations(session, versions, { onMigration: (each) => begun.push(each) });
  expect(begun.map(({ name }) => name)).toEqual(made.map(({ name }) => name));
  expect(begun.at(-1)).toMatchObject({ step: made.length, steps: made.length });
});

test("a migration whose process dies in the middle leaves nothing, and is applied afterwards", async () => {
  await applyMigrations(session, versions);
  const holder = await holdTable("outbox_events");
  const [[victim] = []] = await session.rowsOnce("SELECT pg_backend_pid()", []);
  const broken = applyMigrations(session, known, { lockWaitMs: 60_000 });
  const failed = expect(broken).rejects.toThrow(/Migration \d+ \(later\) failed and was undone/);
  await untilWaiting(1);
  // What the server sees of a process that was killed: its connection ends.
  await database.execute(`SELECT pg_terminate_backend(${victim})`);
  await failed;
  expect(await database.execute(columnsSql)).toEqual([]);
  await holder.query("COMMIT");
  await holder.end();
  const again = await connections.session();
  expect(await applyMigrations(again, known)).toEqual(applied);
  expect(await pendingMigrations(again, known)).toEqual([]);
  again.release();
  expect(await database.execute(columnsSql)).toHaveLength(2);
});

test("while a migration waits for a table that others hold, those who ask after it go on", async () => {
  await applyMigrations(session, versions);
  const holder = await holdTable("outbox_events");
  const applying = applyMigrations(session, known, { lockWaitMs: 20 });
  await untilWaiting(1);
  // Behind a lock that is waited for without an end, this would wait for the holder.
  await database.execute("SELECT count(*) FROM outbox_events; SELECT count(*) FROM institutions");
  await holder.query("COMMIT");
  await holder.end();
  expect(await applying).toEqual(applied);
});

test.each([
  ["an empty database", false],
  ["a database that is there", true],
])(
  "two programs that know different steps migrate %s at once, and no step is passed over",
  async (_name, isThere) => {
    if (isThere) await applyMigrations(session, versions);
    const others = knownWith({ name: "own", sql: "ALTER TABLE users ADD COLUMN motto TEXT;" }, later);
    const other = await connections.session();
    let hasMigrated = false;
    const overtaken: Session = {
      ...session,
      change: async (sql, values) => {
        // It has read what is recorded, and is about to record its first step.
        if (!hasMigrated) await applyMigrations(other, known);
        hasMigrated = true;
        return session.change(sql, values);
      },
    };
    const made = await applyMigrations(overtaken, others);
    other.release();
    expect(made.map(({ number, name }) => [number, name])).toEqual([[lastNumber + 2, "own"]]);
    expect(await pendingMigrations(session, others)).toEqual([]);
    // The made-up columns are in steps alone: a new database is made of the tables.
    expect(await database.execute(columnsSql)).toHaveLength(isThere ? 3 : 1);
  },
);

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

/** Steps from before the first release: docs/upgrading.md says that every process has to be stopped for them. */
const beforeFirstRelease = ["topics-and-groups", "cancellations-by-generation"];

/** The previous release runs until the last process is replaced: it writes rows without what a migration adds. */
test("no migration takes away or requires what the previous release does not know", () => {
  const released = versions.migrations.filter(({ name }) => !beforeFirstRelease.includes(name));
  for (const { name, sql } of released) {
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
