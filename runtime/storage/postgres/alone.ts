import type pg from "pg";
import { StoreOpenError } from "../common/store-open-error.ts";

/** Connection name of a process that takes its database for the only one: no move begins beside it. */
export const aloneName = "ledger-rpc alone";

/**
 * Rejects where institutions of the database are in others, or on their way. Each new connection asks: a move looks for
 * such connections after it has noted what it moves, so that one of the two sees the other.
 */
export async function requireAllHere(client: pg.PoolClient): Promise<void> {
  const { rows } = await client.query<{ database_name: string }>(
    "SELECT database_name FROM institution_places LIMIT 1",
  );
  const [row] = rows;
  if (row === undefined) return;
  throw new StoreOpenError(
    `Institutions of this database are also in ${row.database_name}: name every database in LEDGER_DATABASE_OTHERS`,
  );
}
