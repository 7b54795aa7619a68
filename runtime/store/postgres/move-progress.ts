import { StoreOpenError } from "../common/store-open-error.ts";
import type { Session } from "./connections.ts";

/** While the table is there, the database is the target of a move that is not finished. */
const isThereSql = "SELECT to_regclass('move_progress') IS NOT NULL";
const createSql = "CREATE TABLE move_progress (table_name TEXT NOT NULL PRIMARY KEY, moved BIGINT NOT NULL)";
const addSql = "INSERT INTO move_progress (table_name, moved) VALUES ($1, 0) ON CONFLICT DO NOTHING";
const movedSql = "SELECT moved FROM move_progress WHERE table_name = $1";
const advanceSql = "UPDATE move_progress SET moved = $1 WHERE table_name = $2 AND moved = $3";

export async function isMoveUnderWay(session: Session): Promise<boolean> {
  const [[isThere] = []] = await session.rowsOnce(isThereSql, []);
  return isThere === "t";
}

/** Throws a `StoreOpenError` for a database that has a part of what is being moved to it. */
export async function requireNoMove(session: Session): Promise<void> {
  if (!(await isMoveUnderWay(session))) return;
  throw new StoreOpenError(
    "The database is the target of `ledger-server move`, which is under way or was interrupted: run it again, it goes on",
  );
}

export async function beginMove(session: Session): Promise<void> {
  await session.execute(createSql);
}

export async function endMove(session: Session): Promise<void> {
  await session.execute("DROP TABLE move_progress");
}

/** How many rows of a table were moved. */
export async function rowsMoved(session: Session, table: string): Promise<number> {
  await session.change(addSql, [table]);
  const [[moved = null] = []] = await session.rows(movedSql, [table]);
  return Number(moved);
}

/** To be called in the transaction that adds the rows. */
export async function advanceMove(session: Session, table: string, from: number, to: number): Promise<void> {
  if ((await session.change(advanceSql, [to, table, from])) === 1) return;
  throw new StoreOpenError("Another `ledger-server move` writes to the same database: let it end");
}
