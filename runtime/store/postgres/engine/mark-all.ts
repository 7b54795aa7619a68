import type { ListingMarks } from "../../sql/listing.ts";
import type { Connections, Session } from "../connections.ts";
import { pgDialect } from "../dialect.ts";
import { isConflict } from "../errors.ts";
import { runReading } from "../run-reading.ts";

/** Marks made in one transaction: it meets those who write the list's records meanwhile. */
const markedAtOnce = 16;
const noLimits = { rowsMax: Infinity, timeMs: Infinity };

/** Younger records are not counted yet: others of about the same time may be on their way. */
export const settledMs = 3_600_000;

/**
 * Marks a list in transactions of their own until there is nothing more to mark. Serializable: a record
 * that is written at the same time is either counted or removes the mark. Marks that meet other transactions are left
 * to the next time.
 */
export async function markAll<Asked>(
  connections: Connections,
  marks: ListingMarks<Asked>,
  asked: Asked,
  untilMs: number,
): Promise<void> {
  const session = await connections.session();
  const markSome = async (): Promise<boolean> => {
    const limits = { count: markedAtOnce, untilMs };
    const added = await runReading(session, marks.next(asked, limits, pgDialect), noLimits);
    for (const { sql, values } of added) await session.change(sql, values);
    return added.length === markedAtOnce;
  };
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

async function marked(session: Session, markSome: () => Promise<boolean>): Promise<boolean> {
  await session.execute("BEGIN ISOLATION LEVEL SERIALIZABLE");
  try {
    const isMore = await markSome();
    await session.execute("COMMIT");
    return isMore;
  } catch (error) {
    await session.execute("ROLLBACK");
    if (isConflict(error)) return false;
    throw error;
  }
}
