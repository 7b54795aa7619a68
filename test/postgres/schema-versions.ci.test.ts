import { afterAll, beforeAll, expect, test } from "vitest";
import { schema } from "../../ledger/schema.ts";
import { migrateStore, openStore, planMigrations, verifyStore } from "../bank-stores.ts";
import { sealKeysOf } from "../../runtime/store/index.ts";
import { createConnections } from "../../runtime/store/postgres/connections.ts";
import { versions } from "../../runtime/store/postgres/schema.ts";
import { applyMigrations } from "../../runtime/store/postgres/migrate.ts";
import { schemaSql } from "../../runtime/store/postgres/verify/verify.ts";
import { sealer } from "../../runtime/operations/system/index.ts";
import { optionsUnderTest } from "../store-contract/openers.ts";
import { testDatabase, type TestDatabase } from "./databases.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.dispose());

test("a migrated database has nothing more to apply, and two processes may migrate at once", async () => {
  expect(await planMigrations(database.url, optionsUnderTest)).toEqual([]);
  await database.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public");
  const planned = await planMigrations(database.url, optionsUnderTest);
  expect(planned.length).toBeGreaterThan(0);
  await expect(openStore(database.url, { ...optionsUnderTest, migrate: false })).rejects.toThrow(
    /lacks migration \d+ \(schema\).*`ledger-server migrate`/,
  );
  const both = await Promise.all([1, 2].map(() => migrateStore(database.url, optionsUnderTest)));
  // Which of the two applies a migration is left to chance.
  expect(both.flat().toSorted((one, other) => one.number - other.number)).toEqual(planned);
});

test("a process that is refused the table because another one creates it goes on", async () => {
  await database.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public");
  const connections = createConnections(database.url, optionsUnderTest.connections);
  const session = await connections.session();
  const refused = async (sql: string) => {
    const completed = await session.execute(sql);
    if (sql.includes("CREATE TABLE IF NOT EXISTS migrations")) {
      throw Object.assign(new Error('type "migrations" already exists'), { code: "42710" });
    }
    return completed;
  };
  await applyMigrations({ ...session, execute: refused }, versions(schema));
  session.release();
  await connections.close();
  expect(await planMigrations(database.url, optionsUnderTest)).toEqual([]);
});

test("a database of another version or another seal key is refused", async () => {
  const keyed = (byte: number) => ({ ...optionsUnderTest, sealer: () => sealer(Buffer.alloc(32, byte)) });
  await (await openStore(database.url, keyed(1))).close();
  await (await openStore(database.url, keyed(1))).close();
  await expect(openStore(database.url, keyed(2))).rejects.toThrow(/is sealed with key/);
  await database.execute("INSERT INTO migrations VALUES (99, 'later', '', 0)");
  await expect(openStore(database.url, optionsUnderTest)).rejects.toThrow(/newer version/);
  await database.execute("DELETE FROM migrations WHERE number = 99");
  await database.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public");
  await migrateStore(database.url, optionsUnderTest);
});

const appliedBefore = (steps: number): string =>
  `DELETE FROM migrations; INSERT INTO migrations SELECT n, 'step', 'x', 0 FROM generate_series(1, ${steps}) n`;

test("a database that migrations made is opened as it is", async () => {
  await migrateStore(database.url, optionsUnderTest);
  await (await openStore(database.url, { ...optionsUnderTest, migrate: false })).close();
  expect(await planMigrations(database.url, optionsUnderTest)).toEqual([]);
});

test("a database of an older version is refused by all that would use it, and stays as it is", async () => {
  await database.execute(appliedBefore(13));
  const present = () => Promise.all([schemaSql, "SELECT * FROM migrations"].map(database.execute));
  const before = await present();
  const uses = [
    () => openStore(database.url, optionsUnderTest),
    () => openStore(database.url, { ...optionsUnderTest, migrate: false }),
    () => migrateStore(database.url, optionsUnderTest),
    () => planMigrations(database.url, optionsUnderTest),
    () => verifyStore(database.url, {}),
    () => sealKeysOf(database.url).known(database.url, schema),
  ];
  for (const use of uses) {
    await expect(use(), String(use)).rejects.toThrow(
      /has migration 13, this version begins at 14\. Nothing was changed\. Check out commit cb739801, run `ledger-server migrate`/,
    );
  }
  expect(await present()).toEqual(before);
  await database.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public");
  await migrateStore(database.url, optionsUnderTest);
});
