import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { schema } from "../../ledger/schema.ts";
import { schemaLines } from "../../runtime/store/postgres/schema.ts";
import { schemaSql } from "../../runtime/store/postgres/verify/verify.ts";
import { migrateStore } from "../bank-stores.ts";
import { optionsUnderTest } from "../store-contract/openers.ts";
import { testDatabase, type TestDatabase } from "./databases.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.dispose());

const digests = Object.fromEntries(
  [...schemaLines(schema)].map(([name, lines]) => [
    name,
    createHash("md5").update(lines.join("\n")).digest("hex"),
  ]),
);

test("PostgreSQL says of a new database what verify expects", async () => {
  const found = await database.execute(schemaSql);
  expect(
    Object.fromEntries(
      found
        .filter(([name]) => !String(name).startsWith("migrations"))
        .map(([name, digest]) => [name, digest]),
    ),
  ).toEqual(digests);
});

test("a database of version 14 becomes what a new one is", async () => {
  const former = readFileSync(join(import.meta.dirname, "schema-of-14.sql"), "utf8");
  await database.execute(`DROP SCHEMA public CASCADE; CREATE SCHEMA public; ${former}
    CREATE TABLE migrations (number BIGINT PRIMARY KEY, name TEXT, checksum TEXT, applied_at BIGINT);
    INSERT INTO migrations SELECT n, 'step', 'x', 0 FROM generate_series(1, 14) n`);
  await migrateStore(database.url, optionsUnderTest);
  const found = await database.execute(schemaSql);
  const made = found.filter(([name]) => !String(name).startsWith("migrations"));
  expect(Object.fromEntries(made.map(([name, digest]) => [name, digest]))).toEqual(digests);
});
