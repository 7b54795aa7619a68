import { DatabaseSync } from "node:sqlite";
import type { ColumnType } from "../tables/index.ts";
import { requireWholeFiles } from "./file-check/check-file.ts";
import { lockForWriting } from "./files.ts";
import type { Versions } from "../common/versions.ts";
import type { Schema } from "../tables/schema.ts";
import { versions } from "./schema.ts";
import { requireFile, requireUpToDate } from "./open.ts";

/** A table and which of its columns are read. */
export interface RawTable {
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly type: ColumnType }[];
  readonly key: readonly string[];
}

/** Values as PostgreSQL writes them: `t` and `f` for booleans, digits for numbers. */
export type RawRow = readonly (string | null)[];

export interface RawRows {
  count(table: RawTable): number;
  /** "insertion": no row refers to a later one of its table. */
  rows(table: RawTable, order: "insertion" | "key"): Iterable<RawRow>;
}

/**
 * Reads a file that no process writes to meanwhile. Throws a `StoreOpenError` while one has it open, and where migrations
 * are missing.
 */
export async function withRawRows<T>(
  file: string,
  schema: Schema,
  work: (source: RawRows) => Promise<T>,
): Promise<T> {
  const known = versions(schema);
  requireWholeFiles(file, known);
  requireFile(file);
  const unlock = lockForWriting(file);
  try {
    requireMigrated(file, known);
    const database = new DatabaseSync(file, { readOnly: true, readBigInts: true, returnArrays: true });
    try {
      return await work(rawRows(database));
    } finally {
      database.close();
    }
  } finally {
    unlock();
  }
}

function requireMigrated(file: string, known: Versions): void {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    requireUpToDate(database, file, known);
  } finally {
    database.close();
  }
}

function rawRows(database: DatabaseSync): RawRows {
  const first = (sql: string): number => Number(valuesOf(database.prepare(sql).get())[0]);
  return {
    count: ({ name }) => first(`SELECT count(*) FROM ${name}`),
    *rows({ name, columns, key }, order) {
      const isKeyed = first(`SELECT wr FROM pragma_table_list WHERE name = '${name}'`) === 1;
      const ordered = order === "key" || isKeyed ? key.join(", ") : "rowid";
      const list = columns.map((column) => column.name).join(", ");
      const types = columns.map(({ type }) => type);
      const statement = database.prepare(`SELECT ${list} FROM ${name} ORDER BY ${ordered}`);
      for (const row of statement.iterate()) {
        yield valuesOf(row).map((value, index) => textOf(value, types[index]));
      }
    },
  };
}

function textOf(value: unknown, type: ColumnType | undefined): string | null {
  if (value === null) return null;
  return type === "boolean" ? (Number(value) === 1 ? "t" : "f") : String(value);
}

/** `returnArrays` is declared nowhere in the type of a row. */
function valuesOf(row: unknown): readonly unknown[] {
  if (!Array.isArray(row)) throw new Error("node:sqlite gave a row that is no array");
  return row;
}
