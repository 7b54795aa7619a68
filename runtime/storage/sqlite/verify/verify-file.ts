import { DatabaseSync } from "node:sqlite";
import type { Findings } from "../../common/verify/index.ts";
import { migrations } from "../migrations/index.ts";

const faultsMax = 100;

/** SQLite's own check of pages, indexes and constraints, and the tables against those of the migrations. */
export function verifyFile(database: DatabaseSync, findings: Findings): void {
  findings.during("(file)", () => {
    const names = rootPages(database);
    for (const row of database.prepare(`PRAGMA integrity_check(${faultsMax})`).iterate()) {
      for (const line of String(row["integrity_check"]).split("\n")) {
        if (line === "ok" || line.startsWith("*** in database")) continue;
        findings.add({ kind: "file", table: tableIn(line, names), what: `SQLite: ${line}` });
      }
    }
  });
  findings.during("(schema)", () => compareSchemas(database, findings));
  findings.during("(references)", () => {
    // Postings are compared with accounts and transactions row by row, in the order of the file.
    for (const table of tablesOf(database).filter((name) => name !== "postings")) {
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

/** Every table and index has the columns, uniqueness and types that the migrations gave it. */
function compareSchemas(database: DatabaseSync, findings: Findings): void {
  const [expected, found] = [(schemaOfMigrations ??= migratedSchema()), describe(database)];
  found.delete("migrations");
  for (const name of new Set([...expected.keys(), ...found.keys()])) {
    if (expected.get(name) === found.get(name)) continue;
    const what = found.has(name)
      ? expected.has(name)
        ? "is not as the migrations make it"
        : "is none of this program's"
      : "is missing";
    findings.add({ kind: "schema", table: name, what });
  }
}

let schemaOfMigrations: ReadonlyMap<string, string> | undefined;

function migratedSchema(): ReadonlyMap<string, string> {
  const database = new DatabaseSync(":memory:");
  try {
    for (const { sql } of migrations) database.exec(sql);
    return describe(database);
  } finally {
    database.close();
  }
}

function tablesOf(database: DatabaseSync): readonly string[] {
  return database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
    .all()
    .map(({ name }) => String(name));
}

function describe(database: DatabaseSync): Map<string, string> {
  const described = new Map<string, string>();
  const all = (sql: string, name: string) => JSON.stringify(database.prepare(sql).all(name));
  for (const table of tablesOf(database)) {
    const columns = all('SELECT name, type, "notnull", pk, hidden FROM pragma_table_xinfo(?)', table);
    described.set(table, columns + all("SELECT strict, wr FROM pragma_table_list(?)", table));
    const indexes = database.prepare('SELECT name, "unique", partial FROM pragma_index_list(?)').all(table);
    for (const { name, unique, partial } of indexes) {
      const keys = all('SELECT name, "desc", coll, key FROM pragma_index_xinfo(?)', String(name));
      described.set(String(name), JSON.stringify([table, unique, partial, keys]));
    }
  }
  const code = database
    .prepare("SELECT name, sql FROM sqlite_schema WHERE type IN ('view', 'trigger')")
    .all();
  for (const { name, sql } of code) described.set(String(name), String(sql));
  return described;
}
