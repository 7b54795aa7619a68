import * as tables from "../../tables/index.ts";
import type { Session } from "../../postgres/connections.ts";

/** The changes that transactions have noted since `beginNoting`. */
export interface NotedChanges {
  /** How many rows they changed, one that was changed twice counted twice. */
  readonly count: number;
  readonly ids: readonly string[];
  /** By table: the rows, as a text of JSON that holds the values of their `unit`. */
  readonly rows: ReadonlyMap<string, string>;
}

/** Reads the notes of the transactions that the session's transaction sees. */
export async function notedChanges(session: Session): Promise<NotedChanges> {
  const units = new Map<string, Set<string>>();
  let count = 0;
  const add = (table: string, unit: readonly unknown[]): void => {
    const known = units.get(table);
    if (known === undefined) units.set(table, new Set([JSON.stringify(unit)]));
    else known.add(JSON.stringify(unit));
  };
  const notes = await session.rowsOnce("SELECT id, changes FROM moved_changes", []);
  for (const [, changes] of notes) {
    const noted: Readonly<Record<string, readonly (readonly unknown[])[]>> = JSON.parse(String(changes));
    for (const [table, keys] of Object.entries(noted)) {
      count += keys.length;
      const isAttempts = table === tables.deliveryAttempts.name;
      for (const key of keys) {
        add(table, isAttempts ? key.slice(0, 1) : key);
        // Which of its attempts are copied depends on its state.
        if (table === tables.deliveries.name) add(tables.deliveryAttempts.name, key);
      }
    }
  }
  const rows = new Map([...units].map(([table, all]) => [table, `[${[...all].join()}]`]));
  return { count, ids: notes.map(([id]) => String(id)), rows };
}

/** Removes notes whose rows were copied. */
export async function forgetChanges(session: Session, { ids }: NotedChanges): Promise<void> {
  if (ids.length === 0) return;
  await session.change(
    "DELETE FROM moved_changes WHERE id = ANY (ARRAY(SELECT jsonb_array_elements_text($1::jsonb)))",
    [JSON.stringify(ids)],
  );
}
