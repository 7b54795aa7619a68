import { randomUUID } from "node:crypto";
import type { TableShape } from "../../tables/index.ts";
import type { Session } from "../connections.ts";
import type { PgValue } from "../dialect.ts";

/** The keys of the rows that a transaction changes, by table, in the order of the key's columns. */
export interface ChangedKeys {
  add(table: Pick<TableShape, "name">, key: readonly PgValue[]): void;
  /** Adds a row that says them, to be called before the commit. */
  note(session: Session): Promise<void>;
}

const noteSql = "INSERT INTO moved_changes (id, changes) VALUES ($1, $2)";

/** The rows that statements of a transaction change. A move that is under way copies them again. */
export function createChangedKeys(): ChangedKeys {
  const changed = new Map<string, (readonly PgValue[])[]>();
  return {
    add: ({ name }, key) => {
      const keys = changed.get(name);
      if (keys === undefined) changed.set(name, [key]);
      else keys.push(key);
    },
    note: async (session) => {
      if (changed.size === 0) return;
      await session.change(noteSql, [randomUUID(), JSON.stringify(Object.fromEntries(changed))]);
    },
  };
}
