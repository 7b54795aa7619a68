import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { schema } from "../../ledger/schema.ts";
import { versions } from "../../runtime/store/postgres/schema.ts";

const root = join(import.meta.dirname, "../..");

/** What engines that speak PostgreSQL's protocol over many machines lack, or pay dearly for. */
const forbidden: readonly RegExp[] = [
  /\b(?:UN)?LISTEN\b/,
  /\bNOTIFY\b/,
  /\bpg_(?:try_)?advisory/i,
  /\b(?:nextval|setval|currval)\b/i,
  /\b(?:BIG|SMALL)?SERIAL\b/,
  /\bCREATE SEQUENCE\b/,
  /\bGENERATED\b/,
  /\bCREATE (?:OR REPLACE )?TRIGGER\b/,
  /\bLOCK TABLE\b/,
  /\bCREATE (?:UNLOGGED|TEMP)/,
  /\bxmin\b|\bctid\b/,
];

test("statements and tables use nothing that distributed engines lack", () => {
  const folders = ["runtime/store/postgres/**/*.ts", "runtime/store/sql/**/*.ts"];
  const texts = folders.flatMap((folder) => globSync(folder, { cwd: root }));
  expect(texts.length).toBeGreaterThan(10);
  for (const file of texts) {
    const text = readFileSync(join(root, file), "utf8");
    for (const pattern of forbidden) expect(`${file}: ${pattern.exec(text)?.[0]}`).toBe(`${file}: undefined`);
  }
});

test("every table of an institution has the institution first in its key, or a key of its own", () => {
  const { sql } = versions(schema).whole;
  const keys = [...sql.matchAll(/CREATE TABLE (\w+) \(([\s\S]*?)\n\);/g)].map(([, table, body = ""]) => ({
    table,
    isOfInstitution: body.includes("institution_id"),
    key: /PRIMARY KEY \(([^)]*)\)/.exec(body)?.[1] ?? "",
  }));
  expect(keys.length).toBeGreaterThan(25);
  const elsewhere = keys.filter(
    ({ isOfInstitution, key }) => isOfInstitution && !key.startsWith("institution_id"),
  );
  expect(elsewhere.map(({ table }) => table).toSorted()).toEqual([
    "answers",
    "cancellations",
    "deliveries",
    "endpoint_health",
    "events",
    "full_lanes",
    "lane_events",
    "outbox_events",
    "outbox_mails",
    "users",
  ]);
});
