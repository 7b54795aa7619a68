import { DatabaseSync, type StatementSync, type SQLOutputValue } from "node:sqlite";
import { LRUCache } from "lru-cache";
import { declaredFault } from "./errors.ts";
import type { ColumnValue } from "../tables/index.ts";
import type { IndexName, SqlDialect } from "../sql/dialect.ts";

/**
 * One open connection to the file. Statements are prepared once; results are rows in column order. Everything throws an
 * `UnavailableError` where the disk, the file or the machine fails.
 */
export interface Connection {
  /** Whether a transaction is open: some failures, such as a full disk, make SQLite roll back by itself. */
  readonly isTransaction: boolean;
  /** The first row. */
  row(sql: string, values: readonly SqliteValue[]): SqliteRow | undefined;
  rows(sql: string, values: readonly SqliteValue[]): readonly SqliteRow[];
  /** As `rows`, for texts that depend on a caller's input: only the most recent ones stay prepared. */
  rowsOnce(sql: string, values: readonly SqliteValue[]): readonly SqliteRow[];
  /** How many rows were changed so far, also by what was rolled back. */
  readonly changedRows: number;
  /** Executes a change; gives the number of rows it touched. */
  change(sql: string, values: readonly SqliteValue[]): number;
  /** Executes a statement that takes no values and gives no rows. */
  execute(sql: string): void;
  /** Whether the next commits wait for the disk. They do by default. Not to be called in a transaction. */
  waitForDisk(isNeeded: boolean): void;
  close(): void;
}

type SqliteRow = readonly SqliteValue[];

const passingStatementsMax = 64;
/** Pages kept in memory: a group of commits changes many, a reader sees few. */
const writerCacheKiB = 16 * 1024;
const readerCacheKiB = 4 * 1024;

/** How long the opening of a file, and a reader, waits for a lock that another program holds. */
const lockWaitMs = 2_000;

/** The log is cut to this size whenever SQLite starts it over. */
export const logBytesKept = 8 * 1024 * 1024;

type StatementCache = Pick<Map<string, StatementSync>, "get"> & {
  set(sql: string, statement: StatementSync): unknown;
};

interface ConnectionOptions {
  readonly readOnly: boolean;
}

/**
 * Opens an existing file. A connection is durable (`synchronous=FULL`) and enforces references. Its commits go to the
 * log, and never move that to the file: `wal-limit.ts` sees to it. A writer never waits for
 * a lock: its user asks again.
 */
export function openConnection(file: string, options: ConnectionOptions): Connection {
  const database = declared(() => openDatabase(file, options));
  let isWaiting = true;
  let changedRows = 0;
  const lasting = new Map<string, StatementSync>();
  const passing = new LRUCache<string, StatementSync>({ max: passingStatementsMax });

  return {
    get isTransaction() {
      return database.isTransaction;
    },
    get changedRows() {
      return changedRows;
    },
    row: (sql, values) => {
      try {
        const row: unknown = prepared(lasting, sql).get(...values);
        return row === undefined ? undefined : rowOf(row);
      } catch (error) {
        throw declaredFault(error);
      }
    },
    rows: (sql, values) => rowsOf(lasting, sql, values),
    rowsOnce: (sql, values) => rowsOf(passing, sql, values),
    change: (sql, values) => {
      try {
        const changes = Number(prepared(lasting, sql).run(...values).changes);
        changedRows += changes;
        return changes;
      } catch (error) {
        throw declaredFault(error);
      }
    },
    execute: (sql) => void declared(() => prepared(lasting, sql).run()),
    waitForDisk: (isNeeded) => {
      if (isNeeded === isWaiting) return;
      declared(() => database.exec(`PRAGMA synchronous = ${isNeeded ? "FULL" : "NORMAL"}`));
      isWaiting = isNeeded;
    },
    close: () => database.close(),
  };

  function rowsOf(kept: StatementCache, sql: string, values: readonly SqliteValue[]): readonly SqliteRow[] {
    try {
      return prepared(kept, sql)
        .all(...values)
        .map(rowOf);
    } catch (error) {
      throw declaredFault(error);
    }
  }

  function prepared(kept: StatementCache, sql: string): StatementSync {
    const found = kept.get(sql);
    if (found !== undefined) return found;
    const statement = database.prepare(sql);
    kept.set(sql, statement);
    return statement;
  }
}

function openDatabase(file: string, { readOnly }: ConnectionOptions): DatabaseSync {
  const database = new DatabaseSync(file, {
    readOnly,
    timeout: lockWaitMs,
    readBigInts: true,
    returnArrays: true,
  });
  try {
    database.exec("PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; PRAGMA foreign_keys = ON");
    const cacheKiB = readOnly ? readerCacheKiB : writerCacheKiB;
    database.exec(`PRAGMA temp_store = MEMORY; PRAGMA cache_size = -${cacheKiB}`);
    database.exec(`PRAGMA journal_size_limit = ${logBytesKept}; PRAGMA wal_autocheckpoint = 0`);
    if (!readOnly) database.exec("PRAGMA busy_timeout = 0");
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function declared<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw declaredFault(error);
  }
}

/** `returnArrays` is declared nowhere in the type of a row. */
function rowOf(row: unknown): SqliteRow {
  if (!Array.isArray(row)) throw new Error("node:sqlite gave a row that is no array");
  return row;
}

/** SQLite through `node:sqlite`, with every integer read as a `bigint`. */
export const sqliteDialect: SqlDialect<SqliteValue> = {
  name: "sqlite",
  placeholder: (position) => `?${position}`,
  toSql: (_type, value) => sqliteValue(value),
  fromSql: (type, value) => {
    if (typeof value !== "bigint") return value;
    if (type === "bigint") return value;
    return type === "boolean" ? value !== 0n : Number(value);
  },
  isOneOf: (expression, parameter) => `${expression} IN (SELECT value FROM json_each(${parameter}))`,
  // It has no LATERAL: the record is found by its key.
  ofGroup: (table, columns, found) => {
    const key = table.key.map(({ name }) => name);
    return (
      `SELECT ${columns} FROM groups CROSS JOIN ${table.name} AS record ` +
      `WHERE (${key.map((name) => `record.${name}`).join(", ")}) = (SELECT ${key.join(", ")} ${found})`
    );
  },
  nextNumber: (table, column, parameter, within) =>
    `coalesce(${parameter}, (SELECT coalesce(max(${column}), 0) + 1 FROM ${table.name} ` +
    `WHERE ${within.column} = ${within.parameter}))`,
  // A bare parameter has SQLite prepare the statement anew each time it is bound, which takes longer than finding a row.
  limit: (parameter) => `${parameter} + 0`,
  through: ({ name }, index) => `INDEXED BY ${indexOf(name, index)}`,
};

/** SQLite names the indexes of keys and unique columns itself, in the order of their declarations. */
function indexOf(table: string, index: IndexName): string {
  if (index === "key") return `sqlite_autoindex_${table}_1`;
  return index === "unique" ? `sqlite_autoindex_${table}_2` : index;
}

export function sqliteValue(value: ColumnValue): SqliteValue {
  return typeof value === "boolean" ? BigInt(value) : value;
}

export type SqliteValue = Exclude<SQLOutputValue, Uint8Array>;
