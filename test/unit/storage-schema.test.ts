import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { migrateStore, openStore, planMigrations } from "../../runtime/storage/index.ts";
import { describe as described, schemaSql, schemaTexts } from "../../runtime/storage/sqlite/schema.ts";
import { optionsUnderTest } from "../store-contract/openers.ts";
import { insertParties } from "../store-contract/samples.ts";
import { formerSql, writeFormer } from "./former-file.ts";
import { fileForEachTest } from "./storage-folder.ts";

const file = fileForEachTest();

function schemaMadeBy(sql: string): ReadonlyMap<string, string> {
  const database = new DatabaseSync(":memory:");
  database.exec(sql);
  const schema = described(database);
  schema.delete("migrations");
  database.close();
  return schema;
}

test("a new file has the tables, indexes and triggers that all migrations made", () => {
  expect(schemaMadeBy(schemaSql)).toEqual(schemaMadeBy(formerSql));
});

test("flags and words are checked, in a new file as in one that migrations made", () => {
  const checks = (sql: string) =>
    [...sql.matchAll(/(\w+) (?:TEXT|INTEGER)[^,(]*(?:DEFAULT \S+ )?CHECK \(\s*\1 (?:IN|=)/g)]
      .map(([, column]) => column)
      .toSorted();
  expect(checks(schemaSql)).toEqual(checks(formerSql));
});

test("a file that migrations made is opened as it is", async () => {
  writeFormer(file(), 22);
  const store = await openStore(`sqlite:${file()}`, { ...optionsUnderTest, migrate: false });
  expect(await store.verify({})).toMatchObject({ findings: [] });
  await store.write(insertParties);
  await store.close();
  expect(await planMigrations(`sqlite:${file()}`, optionsUnderTest)).toEqual([]);
});

test("a new file has what a start compares it with first", async () => {
  await migrateStore(`sqlite:${file()}`, optionsUnderTest);
  const database = new DatabaseSync(file());
  const found = database
    .prepare(
      "SELECT type || ' ' || name AS name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name <> 'migrations'",
    )
    .all();
  expect(new Map(found.map(({ name, sql }) => [String(name), String(sql)]))).toEqual(schemaTexts);
  database.close();
});
