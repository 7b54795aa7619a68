import type { ColumnType, ColumnValue } from "../tables/column.ts";
import type { SqlDialect } from "./dialect.ts";

/** One bounded statement on the way to an answer. */
export interface Step<SqlValue> {
  readonly sql: string;
  readonly values: readonly SqlValue[];
  /** How many rows of a table it looks at, at most; absent: as many as it gives. */
  readonly rowsRead?: number;
  /** The text depends on what a caller wrote: it is not worth keeping for long. */
  readonly passing?: true;
}

/**
 * An answer that takes several statements, each of which looks at a bounded number of rows. Its runner executes
 * each step and hands the rows back; between two steps it may pause, let others run, or give up.
 */
export type Reading<SqlValue, T> = Generator<Step<SqlValue>, T, readonly (readonly SqlValue[])[]>;

/** An entry of an index is read in about a fourth of the time of a row. */
export const indexEntryRows = 0.25;

/** Values of a statement in the order of their places. */
export interface Bindings<SqlValue> {
  readonly values: readonly SqlValue[];
  bind(type: ColumnType, value: ColumnValue): string;
  /** A limit of so many rows. */
  limitTo(count: number): string;
}

export function bindings<SqlValue>(dialect: SqlDialect<SqlValue>): Bindings<SqlValue> {
  const values: SqlValue[] = [];
  const bind = (type: ColumnType, value: ColumnValue): string =>
    dialect.placeholder(values.push(dialect.toSql(type, value)));
  return { values, bind, limitTo: (count) => `LIMIT ${dialect.limit(bind("integer", count))}` };
}
