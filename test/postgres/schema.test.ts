import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { migrateStore, openStore, planMigrations } from "../../runtime/storage/index.ts";
import { createConnections } from "../../runtime/storage/postgres/connections.ts";
import { applyMigrations } from "../../runtime/storage/postgres/migrate.ts";
import { schemaDigests } from "../../runtime/storage/postgres/migrations/schema-digests.ts";
import { schemaSql } from "../../runtime/storage/postgres/verify/verify-schema.ts";
import * as tables from "../../runtime/storage/tables/index.ts";
import { sealer } from "../../runtime/system/index.ts";
import { optionsUnderTest } from "../store-contract/openers.ts";
import { testDatabase, type TestDatabase } from "./databases.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.dispose());

const digestsFile = join(import.meta.dirname, "../../runtime/storage/postgres/migrations/schema-digests.ts");

const types = {
  text: "text",
  json: "text",
  bigint: "bigint",
  integer: "bigint",
  time: "bigint",
  boolean: "boolean",
} as const;

test("the migrated database has every column that the tables name", async () => {
  const found = await database.execute(
    "SELECT table_name, column_name, data_type, is_nullable, coalesce(collation_name, '') " +
      "FROM information_schema.columns WHERE table_schema = 'public'",
  );
  const columns = new Map(found.map(([table, name, ...rest]) => [`${table}.${name}`, rest.join(" ")]));
  for (const { name: table, columns: expected } of Object.values(tables)) {
    for (const { name, type, optional } of expected) {
      const collation = types[type] === "text" ? "C" : "";
      expect(`${name} ${columns.get(`${table}.${name}`)}`).toBe(
        `${name} ${types[type]} ${optional ? "YES" : "NO"} ${collation}`,
      );
    }
  }
});

test("verify knows the schema that the migrations make", async () => {
  const found = await database.execute(schemaSql);
  const digests = Object.fromEntries(
    found.filter(([name]) => !String(name).startsWith("migrations")).map(([name, digest]) => [name, digest]),
  );
  if (process.env["UPDATE_EXPECTED"] !== undefined) {
    const lines = Object.entries(digests).map(([name, digest]) => `  ${name}: "${String(digest)}",\n`);
    const said =
      "/** Written by `UPDATE_EXPECTED=1` and test/postgres/schema.test.ts; compared by `verify`. */\n";
    const start = "export const schemaDigests: Readonly<Record<string, string>> = {\n";
    writeFileSync(digestsFile, `${said}${start}${lines.join("")}};\n`);
  } else expect(schemaDigests).toEqual(digests);
});

test("a migrated database has nothing more to apply, and two processes may migrate at once", async () => {
  expect(await planMigrations(database.url, optionsUnderTest)).toEqual([]);
  await database.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public");
  const planned = await planMigrations(database.url, optionsUnderTest);
  expect(planned.length).toBeGreaterThan(0);
  await expect(openStore(database.url, { ...optionsUnderTest, migrate: false })).rejects.toThrow(
    /lacks migration 1 \(initial\).*`ledger-server migrate`/,
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
  await applyMigrations({ ...session, execute: refused });
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
  await database.execute("UPDATE migrations SET checksum = 'x'");
  await expect(openStore(database.url, optionsUnderTest)).rejects.toThrow(/another content/);
  await database.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public");
  await migrateStore(database.url, optionsUnderTest);
});
