import type { ColumnType, ColumnValue } from "../tables/index.ts";

/** Where SQL databases differ, as far as this service notices. `SqlValue` is what the driver takes and gives. */
export interface SqlDialect<SqlValue> {
  /** The text of the parameter at a position from 1. */
  placeholder(position: number): string;
  toSql(type: ColumnType, value: ColumnValue): SqlValue;
  fromSql(type: ColumnType, value: SqlValue): ColumnValue;
  /** A condition that the text of `expression` is one of the texts in the JSON array bound to a parameter. */
  isOneOf(expression: string, parameter: string): string;
}
