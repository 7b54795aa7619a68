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
import { drop, keyText, put, textOf, type Row, type StateDraft, type StateReader } from "./state.ts";

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
