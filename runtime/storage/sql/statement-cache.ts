import { countMax, type QueryShape } from "../common/queries.ts";
import type { ColumnShape, TableShape } from "../tables/index.ts";
import {
  countStatement,
  deleteStatement,
  insertStatement,
  putStatement,
  replaceStatement,
  selectStatement,
  takeStatement,
  updateStatement,
  type Statement,
  type Words,
} from "./statements.ts";

/** The statements of one dialect, each made once. */
export interface StatementCache {
  readonly select: (query: QueryShape) => Statement;
  readonly count: (query: QueryShape) => Statement;
  readonly delete: (query: QueryShape) => Statement;
  readonly take: (query: QueryShape) => Statement;
  /** The statement for each set of columns that a query's records are changed in. */
  readonly update: (query: QueryShape) => (changed: readonly ColumnShape[]) => Statement;
  readonly insert: (table: TableShape) => Statement;
  readonly put: (table: TableShape) => Statement;
  readonly replace: (table: TableShape) => Statement;
}

export function createStatementCache(words: Words): StatementCache {
  return {
    select: remembered((query) => selectStatement(query, words)),
    count: remembered((query) => countStatement(query, words, countMax)),
    delete: remembered((query) => deleteStatement(query, words)),
    take: remembered((query) => takeStatement(query, words)),
    update: remembered((query) => remembered((changed) => updateStatement(query, changed, words))),
    insert: remembered((table) => insertStatement(table, words)),
    put: remembered((table) => putStatement(table, words)),
    replace: remembered((table) => replaceStatement(table, words)),
  };
}

/** Calls `make` once for each key. */
export function remembered<Key extends object, Made>(make: (key: Key) => Made): (key: Key) => Made {
  const made = new WeakMap<Key, Made>();
  return (key) => {
    const found = made.get(key) ?? make(key);
    made.set(key, found);
    return found;
  };
}
