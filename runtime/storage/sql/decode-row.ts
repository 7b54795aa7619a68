import type { Sealing } from "../common/sealing.ts";
import type { Table } from "../tables/index.ts";
import type { SqlDialect } from "./dialect.ts";

/** A record from a row in column order, its sealed fields opened. */
export function decodeRow<R, SqlValue>(
  table: Table<R>,
  row: readonly SqlValue[],
  { fromSql }: Pick<SqlDialect<SqlValue>, "fromSql">,
  { opened }: Sealing,
): R {
  const values = table.columns.map((column) => {
    const found = row[column.index];
    const value = found === undefined ? null : fromSql(column.type, found);
    return column.sealed === undefined ? value : opened(column.sealed, value);
  });
  return table.decode(values);
}
