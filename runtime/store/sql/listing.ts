import type { Table, TablePart } from "../tables/table.ts";
import type { SqlDialect } from "./dialect.ts";
import type { Reading, Step } from "./reading.ts";

/** A list that takes several bounded statements: what an application says of it to every engine. */
export interface Listing<Asked, R> {
  /** The module that exports it under its name: a thread that reads imports it. */
  readonly module: string;
  readonly name: string;
  /** The rows of a page. */
  steps<SqlValue>(
    asked: Asked,
    dialect: SqlDialect<SqlValue>,
  ): Reading<SqlValue, readonly (readonly SqlValue[])[]>;
  /** `partOf` reads the first columns of the row. */
  decode<SqlValue>(row: readonly SqlValue[], partOf: <P>(part: TablePart<P>) => P): R;
  /** The page among all records, for a store in memory. */
  among(asked: Asked, records: <T>(table: Table<T>) => readonly T[]): readonly R[];
  /** Who asks: a store serves callers who ask at the same time in turns. */
  callerOf(asked: Asked): string | undefined;
  /** Whether an embedded database finds the page in less time than a question takes to a thread and back. */
  isShort(asked: Asked): boolean;
  readonly marks: ListingMarks<Asked>;
}

/** Marks that a page far behind the first is found by. */
export interface ListingMarks<Asked> {
  /** Records between two marks. */
  readonly every: number;
  /** The list that has marks of its own, by name, and the page's place in it. Undefined where marks are of no use. */
  placeOf(
    asked: Asked,
    dialect: Pick<SqlDialect<unknown>, "name">,
  ): { readonly list: string; readonly offset: number } | undefined;
  /** The statements that add the marks that follow the last one: executed in the transaction that reads them. */
  next<SqlValue>(
    asked: Asked,
    limits: MarkLimits,
    dialect: SqlDialect<SqlValue>,
  ): Reading<SqlValue, readonly Pick<Step<SqlValue>, "sql" | "values">[]>;
}

export interface MarkLimits {
  /** Marks made at once, at most. */
  readonly count: number;
  /** Younger records are not marked. */
  readonly untilMs: number;
}
