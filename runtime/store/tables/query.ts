import { omitUndefined } from "../../contract/index.ts";
import type { ColumnValue } from "./column.ts";
import type { Condition, FieldOf, PartQuery, Query, QueryShape, Table, TablePart } from "./table.ts";

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

/** A field that equals its value, or one that compares with it otherwise. `sifts`: see `Condition`. */
type Compared<R> = FieldOf<R> | readonly [field: FieldOf<R>, op: Condition["op"], sifts?: "sifts"];

type Asked<R> = Pick<QueryShape, "after" | "countTo" | "descending" | "isKept" | "locks"> & {
  readonly [Place in "present" | "absent" | "firstOf"]?: FieldOf<R>;
} & {
  readonly order?: readonly FieldOf<R>[] | "insertion";
  readonly limited?: boolean;
  readonly part?: readonly FieldOf<R>[];
};

/** The records whose fields compare so with the values given. `QueryShape` says what else may be asked. */
export function queryOf<R>(
  table: Table<R>,
  where: readonly Compared<R>[],
  asked?: Asked<R> & { readonly part?: never },
): Query<R>;
export function queryOf<R, Field extends FieldOf<R>>(
  table: Table<R>,
  where: readonly Compared<R>[],
  asked: Asked<R> & { readonly part: readonly Field[] },
): PartQuery<Pick<R, Field>>;
export function queryOf<R>(
  table: Table<R>,
  where: readonly Compared<R>[],
  { present, absent, firstOf, order, part, limited = false, ...asked }: Asked<R> = {},
): QueryShape {
  return omitUndefined({
    ...asked,
    table,
    where: where.map((each) => {
      const [field, op, sifts]: readonly [FieldOf<R>, Condition["op"]?, "sifts"?] =
        typeof each === "string" ? [each] : each;
      return condition(table, field, op, sifts);
    }),
    limited,
    order: order === "insertion" ? order : order?.map((field) => table.columnOf(field)),
    present: present && table.columnOf(present),
    absent: absent && table.columnOf(absent),
    firstOf: firstOf && table.columnOf(firstOf),
    part: part && table.partOf(part),
  });
}

export function condition<R>(
  table: Table<R>,
  field: FieldOf<R>,
  op: Condition["op"] = "=",
  sifts?: "sifts",
): Condition {
  return { column: table.columnOf(field), op, ...(sifts !== undefined && { isSifting: true }) };
}
