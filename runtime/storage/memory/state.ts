import type { TableShape } from "../tables/index.ts";
import { copyOf, emptyRows, type TableRows } from "./rows.ts";

/** Everything that is kept, as of one commit. Never changed: a transaction makes the next one. */
export type State = ReadonlyMap<TableShape, TableRows>;

/** The tables as a reader sees them. */
export interface StateReader {
  rows(table: TableShape): TableRows;
}

/** The tables as a transaction sees them: its own copy of those it writes to, everyone's of the others. */
export interface StateDraft extends StateReader {
  ownRows(table: TableShape): TableRows;
  /** Takes rows that the caller made in place of the present ones. */
  adopt(table: TableShape, rows: TableRows): void;
  finished(): State;
}

export function stateReader(state: State): StateReader {
  return { rows: (table) => state.get(table) ?? emptyRows(table) };
}

export function draftOf(state: State): StateDraft {
  const own = new Map<TableShape, TableRows>();
  const former = stateReader(state);
  return {
    rows: (table) => own.get(table) ?? former.rows(table),
    ownRows: (table) => {
      const rows = own.get(table) ?? copyOf(former.rows(table));
      own.set(table, rows);
      return rows;
    },
    adopt: (table, rows) => {
      own.set(table, rows);
    },
    finished: () => new Map([...state, ...own]),
  };
}
