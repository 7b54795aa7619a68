import type { SQLOutputValue } from "node:sqlite";
import type { ColumnValue } from "../tables/index.ts";
import type { IndexName, SqlDialect } from "../sql/dialect.ts";

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
