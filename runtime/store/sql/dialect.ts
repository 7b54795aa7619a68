import type { ColumnType, ColumnValue } from "../tables/column.ts";
import type { TableShape } from "../tables/table.ts";

/** Where SQL databases differ, as far as this service notices. `SqlValue` is what the driver takes and gives. */
export interface SqlDialect<SqlValue> {
  readonly name: "sqlite" | "postgres";
  /** The text of the parameter at a position from 1. */
  placeholder(position: number): string;
  toSql(type: ColumnType, value: ColumnValue): SqlValue;
  fromSql(type: ColumnType, value: SqlValue): ColumnValue;
  /** A condition that the text of `expression` is one of the texts in the JSON array bound to a parameter. */
  isOneOf(expression: string, parameter: string): string;
  /**
   * Selects, for each row of `groups`, the columns of the only record that `found` gives, which names `groups.value`. The
   * record is called `record`.
   */
  ofGroup(table: TableShape, columns: string, found: string): string;
  /**
   * The SQL of a value for a numbered column. It is the parameter's or, if that is absent, the next number among the rows
   * that have the same value in the `within` column.
   */
  nextNumber(table: TableShape, column: string, parameter: string, within: WithinPlace): string;
  /** The text that follows LIMIT, for a number that is bound to a parameter. */
  limit(parameter: string): string;
  /**
   * The text behind a table's name or alias that reads it through one index only. A planner without statistics may
   * choose an index that gives most of the table. Empty where the database chooses well.
   */
  through(table: TableShape, index: IndexName): string;
}

/** A column, and the parameter that its value is bound to. */
export interface WithinPlace {
  readonly column: string;
  readonly parameter: string;
}

/** An index by its name, or that of the key or of the first set of unique columns. */
export type IndexName = "key" | "unique" | (string & {});
