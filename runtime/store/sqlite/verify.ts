import { statSync } from "node:fs";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { messageOf } from "../../contract/index.ts";
import type { LedgerVerification, VerifyOptions } from "../ports/index.ts";
import {
  createFindings,
  unreadBooks,
  verifyBooks,
  verifyDerived,
  type Findings,
} from "../common/verify/index.ts";
import { sqlBooks } from "../sql/books.ts";
import type { Schema } from "../tables/schema.ts";
import { versions, pendingMigrations, describe, describeNew, tablesOf } from "./schema.ts";
import { requireCurrentVersion, requireWholeFiles } from "./file-check/check-file.ts";
import { unavailableReasonOf } from "./errors.ts";
import { StoreOpenError } from "../common/adapter.ts";
import { isNew, namesOf } from "../common/versions.ts";
import type { BookRows, Row } from "../common/verify/rules.ts";
import { sqliteDialect } from "./connection.ts";

const busyTimeoutMs = 10_000;
const cacheKiB = 64 * 1024;

/**
 * Verifies the books in a file, over one state of it, whether a service writes to it meanwhile or not; changes nothing.
 * What is wrong with the file is a finding, too. Throws a `StoreOpenError` where there is nothing to verify: no file, no
 * leave to read it, or migrations missing. Holds up the process. Uses a file for sorting, and no more memory for more
 * records.
 */
export function verifySqliteFile(
  file: string,
  schema: Schema,
  options: VerifyOptions = {},
): LedgerVerification {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats === undefined) {
    throw new StoreOpenError(`${file} does not exist: name the data folder of the service (LEDGER_DATA_DIR)`);
  }
  if (!stats.isFile()) throw new StoreOpenError(`${file} is no file: name the data folder of the service`);
  requireCurrentVersion(file, versions(schema));
  const findings = createFindings();
  if (stats.size === 0) return unreadable(schema, findings, "the file is empty: it was truncated");
  let database: DatabaseSync | undefined;
  try {
    options.onProgress?.({ part: "pages and indexes (no progress is known)", done: 0 });
    database = new DatabaseSync(file, { readOnly: true, timeout: busyTimeoutMs });
    database.exec(`PRAGMA temp_store = FILE; PRAGMA cache_size = -${cacheKiB}; BEGIN`);
    const pending = pendingMigrations(database, file, versions(schema));
    if (isNew(pending)) {
      return unreadable(schema, findings, "the file holds no tables: it was cut short, or never migrated");
    }
    if (pending.length > 0) {
      throw new StoreOpenError(`${file} lacks migration ${namesOf(pending)}: run \`ledger-server migrate\``);
    }
    noteWhatOpeningRefuses(file, schema, findings);
    requireWholePages(database, file, findings);
    verifyFile(schema, database, findings);
    const rows = sqliteRows(database);
    verifyDerived(schema.verify, rows, findings);
    return verifyBooks(schema, sqlBooks(schema, rows), rows, findings, options);
  } catch (error) {
    if (unavailableReasonOf(error) !== "damaged") throw error;
    return unreadable(schema, findings, `SQLite: ${messageOf(error)}`);
  } finally {
    database?.close();
  }
}

/** SQLite itself reads past some damage, such as to the log, as if nothing were lost. */
function noteWhatOpeningRefuses(file: string, schema: Schema, findings: Findings): void {
  try {
    requireWholeFiles(file, versions(schema));
  } catch (error) {
    if (!(error instanceof StoreOpenError)) throw error;
    findings.add({ kind: "file", table: "(file)", what: error.message });
  }
}

/** SQLite reads the rest of a page that was cut as zeros. */
function requireWholePages(database: DatabaseSync, file: string, findings: Findings): void {
  const pageBytes = Number(database.prepare("PRAGMA page_size").get()?.["page_size"]);
  const { size } = statSync(file);
  if (size % pageBytes === 0) return;
  const what = `the file has ${size} bytes, no whole number of pages of ${pageBytes}: it was cut short`;
  findings.add({ kind: "file", table: "(file)", what });
}

function unreadable(schema: Schema, findings: Findings, what: string): LedgerVerification {
  findings.add({ kind: "file", table: "(file)", what });
  return unreadBooks(schema, findings);
}

const faultsMax = 100;

/** SQLite's own check of pages, indexes and constraints, and the tables against those of a new file. */
function verifyFile(schema: Schema, database: DatabaseSync, findings: Findings): void {
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

/** The books in a file, streamed through one connection that is inside a read transaction. */
export function sqliteRows(database: DatabaseSync): BookRows {
  const idle = new Map<string, StatementSync>();
  return {
    kind: "sql",
    dialect: "sqlite",
    jsonItems: (column) => `json_each(${column}) n`,
    jsonFirst: (column) => `json_extract(${column}, '$[0]')`,
    placeholder: sqliteDialect.placeholder,
    fromSql: (type, value) => (typeof value === "boolean" ? value : sqliteDialect.fromSql(type, value)),
    through: (table, index) => `${table} INDEXED BY ${index}`,
    rows: function* (sql, values) {
      const statement = idle.get(sql) ?? prepared(database, sql);
      idle.delete(sql);
      for (const row of statement.iterate(...values)) yield rowOf(row);
      idle.set(sql, statement);
    },
  };
}

function prepared(database: DatabaseSync, sql: string): StatementSync {
  const statement = database.prepare(sql);
  statement.setReadBigInts(true);
  statement.setReturnArrays(true);
  return statement;
}

/** `setReturnArrays` is declared nowhere in the type of a row. */
function rowOf(row: unknown): Row {
  if (!Array.isArray(row)) throw new Error("node:sqlite gave a row that is no array");
  return row;
}
