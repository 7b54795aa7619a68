import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { schema } from "../../ledger/schema.ts";
import { schemaLines } from "../../runtime/store/postgres/schema.ts";
import { schemaSql } from "../../runtime/store/postgres/verify/verify-schema.ts";
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

/** Of institutions in several databases, and a check that no other table has. */
const gone =
  /^(?:institution_places|user_places|moved_changes|answers_by_institution|events_by_institution|seal_keys_state_check)/;

test("a new database has the tables and indexes that all migrations made", () => {
  const former: Readonly<Record<string, string>> = JSON.parse(
    readFileSync(join(import.meta.dirname, "schema-of-14.json"), "utf8"),
  );
  const kept = Object.entries(former).filter(([name]) => !gone.test(name));
  expect(digests).toEqual(Object.fromEntries(kept));
});
