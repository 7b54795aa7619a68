import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { Books } from "../../../runtime/storage/common/verify/index.ts";
import { sqliteDialect } from "../../../runtime/storage/sqlite/dialect.ts";
import { sqlBooks, type Row } from "../sql/books.ts";

/** The books in a file, streamed through one connection that is inside a read transaction. */
export function sqliteBooks(database: DatabaseSync): Books {
  const idle = new Map<string, StatementSync>();
  return sqlBooks({
    placeholder: sqliteDialect.placeholder,
    fromSql: (type, value) => (typeof value === "boolean" ? value : sqliteDialect.fromSql(type, value)),
    postingsByTransaction: "postings INDEXED BY postings_by_transaction",
    rows: function* (sql, values) {
      const statement = idle.get(sql) ?? prepared(database, sql);
      idle.delete(sql);
      for (const row of statement.iterate(...values)) yield rowOf(row);
      idle.set(sql, statement);
    },
  });
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
