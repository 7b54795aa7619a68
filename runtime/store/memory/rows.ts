import { DuplicateRecordError } from "../ports/index.ts";
import type { ColumnShape, ColumnValue, TableShape } from "../tables/index.ts";

/** A record as its columns' values: what a database would hold, so that a caller's objects are never shared. */
export type Row = readonly ColumnValue[];

/** The rows of one table by key, in order of insertion, and by each set of unique columns. */
export interface TableRows {
  readonly byKey: Map<string, Row>;
  readonly byUnique: readonly Map<string, Row>[];
}

export function emptyRows(table: TableShape): TableRows {
  return { byKey: new Map(), byUnique: table.unique.map(() => new Map()) };
}

export function copyOf({ byKey, byUnique }: TableRows): TableRows {
  return { byKey: new Map(byKey), byUnique: byUnique.map((rows) => new Map(rows)) };
}

/** Adds a row or, in place of `former`, replaces it. Throws `DuplicateRecordError` and changes nothing if taken. */
export function put(table: TableShape, rows: TableRows, row: Row, former?: Row): void {
  const key = textOf(row, table.key);
  const uniques = table.unique.map((columns) => textOf(row, columns));
  const isTaken =
    (former === undefined && rows.byKey.has(key)) ||
    rows.byUnique.some((taken, index) => ![undefined, former].includes(taken.get(uniques[index] ?? "")));
  if (isTaken) throw new DuplicateRecordError(`${table.name}: an identifier or unique field is taken`);
  if (former !== undefined) forget(table, rows, former);
  rows.byKey.set(key, row);
  for (const [index, taken] of rows.byUnique.entries()) taken.set(uniques[index] ?? "", row);
}

export function drop(table: TableShape, rows: TableRows, row: Row): void {
  rows.byKey.delete(textOf(row, table.key));
  forget(table, rows, row);
}

/** Values of columns as a text that no other values have. */
export function textOf(row: Row, columns: readonly ColumnShape[]): string {
  return keyText(columns.map(({ index }) => row[index] ?? null));
}

export function keyText(values: readonly ColumnValue[]): string {
  return JSON.stringify(values.map(String));
}

function forget(table: TableShape, rows: TableRows, row: Row): void {
  for (const [index, taken] of rows.byUnique.entries()) taken.delete(textOf(row, table.unique[index] ?? []));
}
