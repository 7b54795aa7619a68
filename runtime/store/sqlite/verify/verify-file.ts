import type { DatabaseSync } from "node:sqlite";
import type { Findings } from "../../common/verify/index.ts";
import type { Schema } from "../../tables/schema.ts";
import { describe, describeNew, tablesOf } from "../schema.ts";

const faultsMax = 100;

/** SQLite's own check of pages, indexes and constraints, and the tables against those of a new file. */
export function verifyFile(schema: Schema, database: DatabaseSync, findings: Findings): void {
  findings.during("(file)", () => {
    const names = rootPages(database);
    for (const row of database.prepare(`PRAGMA integrity_check(${faultsMax})`).iterate()) {
      for (const line of String(row["integrity_check"]).split("\n")) {
        if (line === "ok" || line.startsWith("*** in database")) continue;
        findings.add({ kind: "file", table: tableIn(line, names), what: `SQLite: ${line}` });
      }
    }
  });
  findings.during("(schema)", () => compareSchemas(schema, database, findings));
  findings.during("(references)", () => {
    const elsewhere = schema.verify?.referring ?? [];
    for (const table of tablesOf(database).filter((name) => !elsewhere.includes(name))) {
      for (const row of database.prepare(`PRAGMA foreign_key_check("${table}")`).iterate()) {
        const what = `refers to a record of ${String(row["parent"])} that does not exist`;
        const record = row["rowid"] === null ? {} : { record: `row ${String(row["rowid"])}` };
        findings.add({ kind: "reference", table, ...record, what });
      }
    }
  });
}

/** Names of tables and indexes by the page where each begins. */
function rootPages(database: DatabaseSync): ReadonlyMap<number, string> {
  const rows = database.prepare("SELECT name, rootpage FROM sqlite_schema WHERE rootpage > 0").all();
  return new Map(rows.map(({ name, rootpage }) => [Number(rootpage), String(name)]));
}

/** SQLite names an index by name, and a tree of pages by its first page. */
function tableIn(line: string, names: ReadonlyMap<number, string>): string {
  const [, tree] = /^Tree (\d+) /.exec(line) ?? [];
  const known = tree === undefined ? undefined : names.get(Number(tree));
  if (known !== undefined) return known;
  return names.values().find((name) => new RegExp(`\\b${name}\\b`).test(line)) ?? "(file)";
}

/** Every table and index has the columns, uniqueness and types that a new file's have. */
function compareSchemas(schema: Schema, database: DatabaseSync, findings: Findings): void {
  const [expected, found] = [describeNew(schema), describe(database)];
  found.delete("migrations");
  for (const name of new Set([...expected.keys(), ...found.keys()])) {
    if (expected.get(name) === found.get(name)) continue;
    const what = found.has(name)
      ? expected.has(name)
        ? "is not as this program makes it"
        : "is none of this program's"
      : "is missing";
    findings.add({ kind: "schema", table: name, what });
  }
}
