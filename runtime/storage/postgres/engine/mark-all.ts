import type { ColumnValue } from "../../tables/index.ts";
import type { Connections, Session } from "../connections.ts";
import { isConflict } from "../errors.ts";

/** A statement that removes marks. */
export interface Unmark {
  readonly sql: string;
  readonly values: readonly ColumnValue[];
}

/** Younger records are not counted yet: others of about the same time may be on their way. */
export const settledMs = 3_600_000;

/**
 * Runs `markSome` in transactions of its own until it says that there is nothing more to mark. Serializable: a record
 * that is written at the same time is either counted or removes the mark. Marks that meet other transactions are left
 * to the next time.
 */
export async function markAll(
  connections: Connections,
  markSome: (session: Session) => Promise<boolean>,
): Promise<void> {
  const session = await connections.session();
  let failure: unknown;
  try {
    while (await marked(session, markSome));
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    session.release(failure);
  }
}

async function marked(session: Session, markSome: (session: Session) => Promise<boolean>): Promise<boolean> {
  await session.execute("BEGIN ISOLATION LEVEL SERIALIZABLE");
  try {
    const isMore = await markSome(session);
    await session.execute("COMMIT");
    return isMore;
  } catch (error) {
    await session.execute("ROLLBACK");
    if (isConflict(error)) return false;
    throw error;
  }
}
