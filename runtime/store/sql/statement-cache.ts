import { oncePer } from "../../contract/once-per.ts";
import { countMax, type ColumnShape, type QueryShape, type Table, type TableShape } from "../tables/index.ts";
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
  /** As `replace`, but for the costly columns. */
  readonly replaceCheaply: (table: TableShape) => Statement;
}

/** The statement that replaces a record. `before`: the record as it is stored, where that is known. */
export function replacementOf<R>(
  { replace, replaceCheaply }: StatementCache,
  table: Table<R>,
  record: R,
  before: R | undefined,
): Statement {
  return before !== undefined && table.isCostlySame(before, record) ? replaceCheaply(table) : replace(table);
}

export function createStatementCache(words: Words): StatementCache {
  return {
    select: oncePer((query) => selectStatement(query, words)),
    count: oncePer((query) => countStatement(query, words, query.countTo ?? countMax)),
    delete: oncePer((query) => deleteStatement(query, words)),
    take: oncePer((query) => takeStatement(query, words)),
    update: oncePer((query) => oncePer((changed) => updateStatement(query, changed, words))),
    insert: oncePer((table) => insertStatement(table, words)),
    put: oncePer((table) => putStatement(table, words)),
    replace: oncePer((table) => replaceStatement(table, table.keptByReplace, words)),
    replaceCheaply: oncePer((table) =>
      replaceStatement(table, [...table.keptByReplace, ...table.costly], words),
    ),
  };
}
