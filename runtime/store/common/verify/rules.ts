import type { ColumnType, ColumnValue } from "../../tables/column.ts";
import type { Table } from "../../tables/table.ts";
import type { Books } from "./books.ts";
import type { Findings } from "./findings.ts";

/** What an application compares in tables of its own, beside what every table is compared with. */
export interface VerifyRules {
  /** Types of subjects whose audit entries its passes follow. */
  readonly subjects: readonly string[];
  /** Its tables whose rows name an institution that may be gone. */
  readonly tables: readonly string[];
  /** The names that its passes count records by, in the order of reports. */
  readonly counted: readonly string[];
  /** Its tables whose references the passes compare row by row: a database's own check leaves them out. */
  readonly referring: readonly string[];
  /** What a database keeps twice for speed, each against what it is derived from. */
  derived(dialect: BookRows["dialect"]): readonly DerivedRule[];
  passes(source: BookSource, audit: Books["audit"]): readonly Pass[];
}

/** Compares all records of a kind, institution by institution. */
export interface Pass {
  /** As progress names it. */
  readonly part: string;
  readonly table: string;
  count(): number;
  /** Calls `tell` for each record. */
  verify(institutionId: string, findings: Findings, totals: Totals, tell: () => void): void;
}

/** Compares a derived table. Calls `wrong` for each record that differs. */
export interface DerivedRule {
  readonly table: string;
  verify(books: BookRows, wrong: (record: string, what: string) => void): void;
}

/** Counts of all passes. */
export interface Totals {
  /** Counts records by one of the names that the rules give. */
  count(name: string, records?: number): void;
  auditEntries: number;
  /** By currency, what has to be 0. */
  readonly sums: Map<string, bigint>;
}

/** Where books are read from: a database by SQL, or records in memory. */
export type BookSource = BookRows | { readonly kind: "records"; all<R>(table: Table<R>): readonly R[] };

/** How the books in a database are read: streams over one state of it. */
export interface BookRows {
  readonly kind: "sql";
  readonly dialect: "sqlite" | "postgres";
  rows(sql: string, values: readonly string[]): Iterable<Row>;
  placeholder(position: number): string;
  fromSql(type: ColumnType, value: Value): ColumnValue;
  /** The texts of a JSON list in a column, as a table `n` with the column `value`. */
  jsonItems(column: string): string;
  jsonFirst(column: string): string;
  /** A table that is read through one of its indexes. */
  through(table: string, index: string): string;
}

export type Value = string | number | bigint | boolean | null;
export type Row = readonly (Value | undefined)[];

/** Asks with `?` for each value. */
export function asker({ rows, placeholder }: BookRows): (sql: string, ...values: string[]) => Iterable<Row> {
  return (sql, ...values) => {
    let position = 0;
    return rows(
      sql.replaceAll("?", () => placeholder((position += 1))),
      values,
    );
  };
}

/** The member, where there is a value. */
export function present<Name extends string>(
  name: Name,
  value: Value | undefined,
): { readonly [Member in Name]?: string } {
  const member: { [Member in Name]?: string } = {};
  if (value !== null && value !== undefined) member[name] = String(value);
  return member;
}
