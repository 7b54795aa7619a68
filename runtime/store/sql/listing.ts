import type { Table, TablePart } from "../tables/table.ts";
import type { SqlDialect } from "./dialect.ts";
import type { ColumnType, ColumnValue } from "../tables/column.ts";

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

/** One bounded statement on the way to an answer. */
export interface Step<SqlValue> {
  readonly sql: string;
  readonly values: readonly SqlValue[];
  /** How many rows of a table it looks at, at most; absent: as many as it gives. */
  readonly rowsRead?: number;
  /** The text depends on what a caller wrote: it is not worth keeping for long. */
  readonly passing?: true;
}

/**
 * An answer that takes several statements, each of which looks at a bounded number of rows. Its runner executes
 * each step and hands the rows back; between two steps it may pause, let others run, or give up.
 */
export type Reading<SqlValue, T> = Generator<Step<SqlValue>, T, readonly (readonly SqlValue[])[]>;

/** An entry of an index is read in about a fourth of the time of a row. */
export const indexEntryRows = 0.25;

/** Values of a statement in the order of their places. */
export interface Bindings<SqlValue> {
  readonly values: readonly SqlValue[];
  bind(type: ColumnType, value: ColumnValue): string;
  /** A limit of so many rows. */
  limitTo(count: number): string;
}

export function bindings<SqlValue>(dialect: SqlDialect<SqlValue>): Bindings<SqlValue> {
  const values: SqlValue[] = [];
  const bind = (type: ColumnType, value: ColumnValue): string =>
    dialect.placeholder(values.push(dialect.toSql(type, value)));
  return { values, bind, limitTo: (count) => `LIMIT ${dialect.limit(bind("integer", count))}` };
}

/** Has marks made where pages far behind the first are asked for. */
interface Marker {
  /** A page with this offset was read, of the list that has this name. */
  noteOffset(list: string, offset: number, mark: (nowMs: number) => Promise<void>): Promise<void>;
}

/** A process looks for new marks so often, for each list. */
const markEveryMs = 60_000;
const listsMax = 1_000;

/** Pages before the first mark, `from` entries behind the beginning, need none. */
function createMarker(from: number): Marker {
  const markedAtMs = new Map<string, number>();
  return {
    noteOffset: async (list, offset, mark) => {
      const nowMs = Date.now();
      if (offset < from || nowMs - (markedAtMs.get(list) ?? -Infinity) < markEveryMs) return;
      if (markedAtMs.size >= listsMax) markedAtMs.clear();
      markedAtMs.set(list, nowMs);
      await mark(nowMs);
    },
  };
}

/** The marker of each kind of list, by its name. */
export function createMarkers(): (name: string, from: number) => Marker {
  const markers = new Map<string, Marker>();
  return (name, from) => {
    const marker = markers.get(name) ?? createMarker(from);
    markers.set(name, marker);
    return marker;
  };
}
