import { MovingError, type Concern } from "../../../ports/index.ts";
import { MovedError } from "../../common/moved-error.ts";
import type { Session } from "../connections.ts";

/** By the database's clock: the clocks of processes differ. */
export const nowSql = "(extract(epoch FROM clock_timestamp()) * 1000)::BIGINT";
/** Not FOR KEY SHARE, which takes a row that was changed since the transaction began for the same. */
const lockSql = "SELECT 1 FROM institutions WHERE id = $1 FOR SHARE";
const placeSql = `SELECT state, database_name, paused_until > ${nowSql}, noted_until > ${nowSql} FROM institution_places WHERE institution_id = $1`;
const gateSql = `SELECT paused_until > ${nowSql}, noted_until > ${nowSql} FROM gate WHERE id = 1 FOR SHARE`;

/**
 * Rejects where an institution is not read here. To be asked first in a transaction, without waiting for it: what the
 * transaction sees then is from before the institution left, or not used.
 */
export async function fenceRead(session: Session, about: Concern | undefined): Promise<void> {
  if (about === undefined || !("institutionId" in about)) return;
  await requireHere(session, about.institutionId, false);
}

/**
 * Rejects where an institution is not written to here, or not now; otherwise no move begins its pause before the
 * transaction has ended. Work of the service's own holds the gate instead. Returns whether the transaction is to note what
 * it changes, because a move copies it again.
 */
export async function fenceWrite(session: Session, about: Concern | undefined): Promise<boolean> {
  if (about === undefined || !("institutionId" in about)) {
    const [[isPaused, isNoted] = []] = await session.rows(gateSql, []);
    if (isPaused === "t" && isNoted !== "t") throw new MovingError();
    return isNoted === "t";
  }
  const { institutionId } = about;
  const locked = session.rows(lockSql, [institutionId]);
  const here = requireHere(session, institutionId, true);
  for (const each of await Promise.allSettled([locked, here])) {
    if (each.status === "rejected") throw each.reason;
  }
  return here;
}

async function requireHere(session: Session, institutionId: string, isWrite: boolean): Promise<boolean> {
  const [place] = await session.rows(placeSql, [institutionId]);
  if (place === undefined) return false;
  const [state, database, isPaused, isNoted] = place;
  if (state === "MOVED") throw new MovedError(institutionId, String(database));
  if (state === "ARRIVING" || (isWrite && isPaused === "t" && isNoted !== "t")) throw new MovingError();
  return isNoted === "t";
}
