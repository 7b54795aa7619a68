import { StoreOpenError } from "../common/store-open-error.ts";
import type { Session } from "./connections.ts";

const isThereSql = "SELECT to_regclass('institution_places') IS NOT NULL";
const placeSql = "SELECT database_name FROM institution_places LIMIT 1";

/** Throws a `StoreOpenError` for a database of an earlier version whose institutions are partly in another one. */
export async function requireAllHere(session: Session): Promise<void> {
  const [[isThere] = []] = await session.rowsOnce(isThereSql, []);
  if (isThere !== "t") return;
  const [place] = await session.rowsOnce(placeSql, []);
  if (place === undefined) return;
  throw new StoreOpenError(
    `Institutions of this database are in the database ${String(place[0])}. Check out commit cb739801, and with its ` +
      "settings run `ledger-server move --institution <id> --to first` for each of them. See docs/upgrading.md",
  );
}
