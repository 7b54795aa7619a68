import type { TableShape, ColumnShape, ColumnValue } from "../tables/index.ts";
import { DuplicateRecordError } from "../ports/index.ts";

/** Everything that is kept, by the name of its table, as of one commit. Never changed: a transaction makes the next one. */
export type State = ReadonlyMap<string, TableRows>;

/** The tables as a reader sees them. */
export interface StateReader {
  rows(table: TableShape): TableRows;
}

/** The tables as a transaction sees them: its own copy of those it writes to, everyone's of the others. */
export interface StateDraft extends StateReader {
  ownRows(table: TableShape): TableRows;
  finished(): State;
}

export function stateReader(state: State): StateReader {
  return { rows: (table) => state.get(table.name) ?? emptyRows(table) };
}

export function draftOf(state: State): StateDraft {
  const own = new Map<string, TableRows>();
  const former = stateReader(state);
  return {
    rows: (table) => own.get(table.name) ?? former.rows(table),
    ownRows: (table) => {
      const rows = own.get(table.name) ?? copyOf(former.rows(table));
      own.set(table.name, rows);
      return rows;
    },
    finished: () => new Map([...state, ...own]),
  };
}

/** A record as its columns' values: what a database would hold, so that a caller's objects are never shared. */
export type Row = readonly ColumnValue[];

/** The rows of one table by key, in order of insertion, and by each set of unique columns. */
interface TableRows {
  readonly byKey: Map<string, Row>;
  readonly byUnique: readonly Map<string, Row>[];
}

function emptyRows(table: TableShape): TableRows {
  return { byKey: new Map(), byUnique: table.unique.map(() => new Map()) };
}

function copyOf({ byKey, byUnique }: TableRows): TableRows {
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
