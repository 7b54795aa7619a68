import { StoreOpenError } from "../../common/store-open-error.ts";
import type { Session } from "../../postgres/connections.ts";
import { institutionRows } from "./rows-of-institution.ts";
import type { ComparedRows } from "./synchronize.ts";

/** The tables of a move, with what is copied when. */
export interface ComparedTables {
  /** Copied while both databases are served. */
  readonly served: readonly ComparedRows[];
  /** Copied with the institution's arrival. */
  readonly live: readonly ComparedRows[];
}

/** Throws a `StoreOpenError` unless both databases have the same columns. */
export async function comparedTables(source: Session, target: Session): Promise<ComparedTables> {
  const [there, here] = await Promise.all([source, target].map(columnsOf));
  const all = institutionRows.map((rows) => {
    const columns = there?.get(rows.table) ?? [];
    const same = columns.join() === here?.get(rows.table)?.join() && columns.length > 0;
    if (!same) {
      throw new StoreOpenError(
        `${rows.table}: the databases have other columns: run \`ledger-server migrate\` on both`,
      );
    }
    return { ...rows, columns: columns.filter((column) => !rows.ownColumns.includes(column)) };
  });
  return {
    served: all.flatMap((rows) =>
      rows.whereServed === undefined ? [] : [{ ...rows, where: rows.whereServed }],
    ),
    live: all.flatMap((rows) => (rows.whereLive === undefined ? [] : [{ ...rows, where: rows.whereLive }])),
  };
}

async function columnsOf(session: Session): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await session.rowsOnce(
    "SELECT table_name, string_agg(column_name, ',' ORDER BY column_name) FROM information_schema.columns " +
      "WHERE table_schema = current_schema() GROUP BY table_name",
    [],
  );
  return new Map(rows.map(([table, columns]) => [String(table), String(columns).split(",")]));
}
