import { compareCodePoints } from "../../condition/code-points.ts";

/** Walks rows that are in the order of a key, beside another stream in the same order. */
export interface Cursor<Row> {
  /** The rows from here whose key is less than this one; all that are left without one. */
  before(key?: string): Iterable<Row>;
  /** The rows from here with this key. */
  at(key: string): Iterable<Row>;
  /** The key of the row that is next. */
  next(): string | undefined;
}

/** Nothing is kept of rows that were passed. */
export function cursorOver<Row>(rows: Iterable<Row>, keyOf: (row: Row) => string): Cursor<Row> {
  const iterator = rows[Symbol.iterator]();
  let next = iterator.next();

  function* whileNext(isIncluded: (key: string) => boolean): Generator<Row> {
    while (next.done !== true && isIncluded(keyOf(next.value))) {
      const row = next.value;
      next = iterator.next();
      yield row;
    }
  }

  return {
    before: (key) =>
      whileNext((nextKey) => key === undefined || (nextKey !== key && compareCodePoints(nextKey, key) < 0)),
    next: () => (next.done === true ? undefined : keyOf(next.value)),
    at: (key) => whileNext((nextKey) => nextKey === key),
  };
}
