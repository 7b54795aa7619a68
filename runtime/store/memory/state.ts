import type { TableShape } from "../tables/index.ts";
import { copyOf, emptyRows, type TableRows } from "./rows.ts";

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
