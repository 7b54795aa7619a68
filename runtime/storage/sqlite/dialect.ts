import type { SQLOutputValue } from "node:sqlite";
import type { ColumnValue } from "../tables/index.ts";
import type { SqlDialect } from "../sql/dialect.ts";

/** SQLite through `node:sqlite`, with every integer read as a `bigint`. */
export const sqliteDialect: SqlDialect<SqliteValue> = {
  placeholder: (position) => `?${position}`,
  toSql: (_type, value) => sqliteValue(value),
  fromSql: (type, value) => {
    if (typeof value !== "bigint") return value;
    if (type === "bigint") return value;
    return type === "boolean" ? value !== 0n : Number(value);
  },
  isOneOf: (expression, parameter) => `${expression} IN (SELECT value FROM json_each(${parameter}))`,
};

export function sqliteValue(value: ColumnValue): SqliteValue {
  return typeof value === "boolean" ? BigInt(value) : value;
}

export type SqliteValue = Exclude<SQLOutputValue, Uint8Array>;
