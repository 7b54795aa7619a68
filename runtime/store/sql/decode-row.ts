import type { Sealing } from "../common/sealing.ts";
import type { TablePart } from "../tables/index.ts";
import type { SqlDialect } from "./dialect.ts";

/** A record from a row in the order of its columns, its sealed fields opened. */
export function decodeRow<R, SqlValue>(
  part: TablePart<R>,
  row: readonly SqlValue[],
  { fromSql }: Pick<SqlDialect<SqlValue>, "fromSql">,
  { opened }: Sealing,
): R {
  const values = part.columns.map((column, index) => {
    const found = row[index];
    const value = found === undefined ? null : fromSql(column.type, found);
    return column.sealed === undefined ? value : opened(column.sealed, value);
  });
  return part.decode(values);
}
