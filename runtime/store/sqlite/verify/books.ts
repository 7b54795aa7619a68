import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { BookRows, Row } from "../../common/verify/rules.ts";
import { sqliteDialect } from "../dialect.ts";

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
