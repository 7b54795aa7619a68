import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { schemaDigests } from "../../runtime/storage/postgres/migrations/schema-digests.ts";
import { schemaSql } from "../../runtime/storage/postgres/verify/verify-schema.ts";
import * as tables from "../../runtime/storage/tables/index.ts";
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
