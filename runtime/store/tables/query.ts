import { omitUndefined } from "../../contract/index.ts";
import type { ColumnValue } from "./column.ts";
import type { Condition, FieldOf, PartQuery, Query, Table, TablePart } from "./table.ts";

/** Counts end here, or where their query says: callers do not need a larger one. */
export const countMax = 1_000_000;
/** Counts of what waits end here: they are asked for at every look at the metrics, and may be of millions. */
export const backlogCountMax = 10_000;

/** A value that a query compares with: of `in`, a list of texts. */
export type QueryValue = ColumnValue | readonly string[];

/** A page of a list: a question with its values. */
export interface QueryPage<R> {
  readonly query: Query<R> | PartQuery<R>;
  readonly values: readonly QueryValue[];
}

/** What reads the records that a query finds. */
export function partRead<R>(query: Query<R> | PartQuery<R>): TablePart<R> {
  return query.part ?? query.table;
}

/** The records whose fields have the values given, in an order. */
export function equal<R>(
  table: Table<R>,
  fields: readonly FieldOf<R>[],
  order?: readonly FieldOf<R>[],
): Query<R> {
  const where = fields.map((field) => condition(table, field, "="));
  const ordered = order?.map((field) => table.columnOf(field));
  return omitUndefined({ table, where, limited: false, order: ordered });
}

export function condition<R>(table: Table<R>, field: FieldOf<R>, op: Condition["op"]): Condition {
  return { column: table.columnOf(field), op };
}
