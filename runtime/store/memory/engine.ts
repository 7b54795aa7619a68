import { compareCodePoints, orderHolds } from "../common/code-points.ts";
import type { ReadEngine, WriteEngine } from "../common/engine.ts";
import {
  partRead,
  type Changes,
  type ColumnShape,
  type ColumnValue,
  type Condition,
  type Query,
  type QueryShape,
  type TableShape,
} from "../tables/index.ts";
import { DuplicateRecordError } from "../ports/index.ts";

export function readEngine(state: StateReader): ReadEngine {
  return {
    one: (query, values) => {
      const [row] = selected(state, query, values);
      return row === undefined ? undefined : query.table.decode(row);
    },
    many: (query, values) => {
      const { columns, decode } = partRead(query);
      return selected(state, query, values).map((row) =>
        decode(columns.map(({ index }) => row[index] ?? null)),
      );
    },
    count: (query, values) => selected(state, { ...query, limited: false }, values).length,
    list: (listing, asked) =>
      listing.among(asked, (table) => [...state.rows(table).byKey.values()].map((row) => table.decode(row))),
  };
}

export function writeEngine(state: StateDraft): WriteEngine {
  return {
    ...readEngine(state),
    insertAll: (table, records) => {
      for (const record of records) write(state, table, numbered(state, table, table.encode(record)));
    },
    putAll: (table, records) => {
      for (const record of records) {
        const row = table.encode(record);
        write(state, table, row, state.rows(table).byKey.get(textOf(row, table.key)));
      }
    },
    replace: (table, record) => {
      const values = table.encode(record);
      const former = state.rows(table).byKey.get(textOf(values, table.key));
      if (former === undefined) throw new Error(`${table.name}: no record to replace`);
      // Columns that are beside the record's follow its own.
      const row = [...values, ...former.slice(values.length)];
      for (const { index } of table.keptByReplace) row[index] = former[index] ?? null;
      write(state, table, row, former);
    },
    update: (query, changes, values) => change(state, query, changes, values),
    take: ({ table, ...query }, values) => {
      const found = selected(state, { table, ...query }, values);
      for (const row of found) drop(table, state.ownRows(table), row);
      return found.map((row) => table.decode(row));
    },
    remove: ({ table, ...query }, values) => {
      const found = selected(state, { table, ...query }, values);
      for (const row of found) drop(table, state.ownRows(table), row);
    },
  };
}

/** In place of `former`, where there is one. */
function write(state: StateDraft, table: TableShape, row: Row, former?: Row): void {
  requireReferences(state, table, row);
  put(table, state.ownRows(table), row, former);
}

/** Gives how many records it changed. */
function change<R>(
  state: StateDraft,
  query: Query<R>,
  changes: Changes<R>,
  values: readonly ColumnValue[],
): number {
  const { table } = query;
  const found = selected(state, query, values);
  const { columns, encode } = table.changeOf(changes);
  const encoded = encode(changes);
  for (const former of found) {
    const row = [...former];
    for (const [place, { index }] of columns.entries()) row[index] = encoded[place] ?? null;
    write(state, table, row, former);
  }
  return found.length;
}

/** With the next numbers, where the store gives some. */
function numbered(state: StateReader, table: TableShape, row: Row): Row {
  const { byKey } = state.rows(table);
  return table.numbered.reduce((given: Row, { column, within }) => {
    if ((given[column.index] ?? null) !== null) return given;
    const isWith = (other: Row): boolean => within !== undefined && other[within.index] === row[within.index];
    const count = within === undefined ? byKey.size : byKey.values().filter(isWith).toArray().length;
    return given.with(column.index, count + 1);
  }, row);
}

/** `values` go with `where` in order; where the query is limited, the last one is the limit. */
function selected(state: StateReader, query: QueryShape, values: readonly ColumnValue[]): readonly Row[] {
  const { byKey } = state.rows(query.table);
  const { where, present, absent, order, descending, after, firstOf, limited } = query;
  if (isByKey(query)) {
    const row = byKey.get(keyText(values));
    return row === undefined ? [] : [row];
  }
  const found = [...byKey.values()].filter(
    (row) =>
      where.every(({ column, op }, index) => holds(op, row[column.index], values[index])) &&
      (present === undefined || (row[present.index] ?? null) !== null) &&
      (absent === undefined || (row[absent.index] ?? null) === null),
  );
  const columns = order === undefined || order === "insertion" ? [] : order;
  const compareRows = inOrderOf(columns, descending ? -1 : 1);
  const ordered = columns.length === 0 ? found : found.toSorted(compareRows);
  const place = placeOf(columns, values.slice(where.length));
  const rest = after ? ordered.filter((row) => compareRows(row, place) > 0) : ordered;
  const kept = firstOf === undefined ? rest : firstOfEach(rest, firstOf);
  return limited ? kept.slice(0, Number(values.at(-1))) : kept;
}

/** The first row of each value of a column, in the order of these values. */
function firstOfEach(rows: readonly Row[], column: ColumnShape): readonly Row[] {
  const firsts = Map.groupBy(rows, (row) => String(row[column.index])).values();
  return [...firsts].flatMap((own) => own.slice(0, 1)).toSorted(inOrderOf([column], 1));
}

/** A row with the values of a place in the order. */
function placeOf(columns: readonly ColumnShape[], values: readonly ColumnValue[]): Row {
  const row: ColumnValue[] = [];
  for (const [index, column] of columns.entries()) row[column.index] = values[index] ?? null;
  return row;
}

function isByKey({ table, where }: QueryShape): boolean {
  return (
    where.length === table.key.length &&
    where.every(({ column, op }, index) => op === "=" && column === table.key[index])
  );
}

function inOrderOf(columns: readonly ColumnShape[], direction: 1 | -1) {
  return (left: Row, right: Row): number => {
    for (const { index } of columns) {
      const difference = compare(left[index], right[index]);
      if (difference !== 0) return difference * direction;
    }
    return 0;
  };
}

/** Columns that queries compare hold text or numbers, never both. */
function compare(left: ColumnValue | undefined, right: ColumnValue | undefined): number {
  if (typeof left === "number" && typeof right === "number") return left - right;
  return compareCodePoints(String(left), String(right));
}

/** An absent value compares with nothing. */
function holds(op: Condition["op"], kept: ColumnValue | undefined, value: ColumnValue | undefined): boolean {
  if (kept === null || kept === undefined) return false;
  if (op === "contains") return String(kept).includes(String(value));
  if (op === "in") return isOneOf(kept, value);
  return orderHolds(op, compare(kept, value));
}

function isOneOf(kept: ColumnValue, texts: ColumnValue | undefined): boolean {
  const list: unknown = JSON.parse(String(texts));
  return Array.isArray(list) && list.includes(kept);
}

function requireReferences(state: StateReader, table: TableShape, row: Row): void {
  for (const { columns, to } of table.references) {
    const key = columns.map(({ index }) => row[index] ?? null);
    if (key.includes(null)) continue;
    const isSelf = to() === table && keyText(key) === textOf(row, table.key);
    if (isSelf || state.rows(to()).byKey.has(keyText(key))) continue;
    throw new Error(`${table.name}: the record refers to one that does not exist`);
  }
}

/** Everything that is kept, by the name of its table, as of one commit. Never changed: a transaction makes the next one. */
export type State = ReadonlyMap<string, TableRows>;

/** The tables as a reader sees them. */
export interface StateReader {
  rows(table: TableShape): TableRows;
}

/** The tables as a transaction sees them: its own copy of those it writes to, everyone's of the others. */
interface StateDraft extends StateReader {
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
type Row = readonly ColumnValue[];

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
function put(table: TableShape, rows: TableRows, row: Row, former?: Row): void {
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

function drop(table: TableShape, rows: TableRows, row: Row): void {
  rows.byKey.delete(textOf(row, table.key));
  forget(table, rows, row);
}

/** Values of columns as a text that no other values have. */
function textOf(row: Row, columns: readonly ColumnShape[]): string {
  return keyText(columns.map(({ index }) => row[index] ?? null));
}

function keyText(values: readonly ColumnValue[]): string {
  return JSON.stringify(values.map(String));
}

function forget(table: TableShape, rows: TableRows, row: Row): void {
  for (const [index, taken] of rows.byUnique.entries()) taken.delete(textOf(row, table.unique[index] ?? []));
}
