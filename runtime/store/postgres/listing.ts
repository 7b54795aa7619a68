import type { ListingMarks, Reading } from "../sql/listing.ts";
import type { Connections, Session } from "./connections.ts";
import { pgDialect, type PgValue } from "./dialect.ts";
import { isConflict } from "./errors.ts";
import { StoreBusyError, TooManyRowsError } from "../ports/index.ts";
import type { ReadOptions } from "../common/adapter.ts";

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

type ReadLimits = Pick<ReadOptions, "rowsMax" | "timeMs">;

/** Executes a reading step by step. Rejects with a `TooManyRowsError` or a `StoreBusyError`. */
export async function runReading<T>(
  session: Session,
  reading: Reading<PgValue, T>,
  { rowsMax, timeMs }: ReadLimits,
): Promise<T> {
  const endsAt = performance.now() + timeMs;
  let rows = 0;
  let turn = reading.next();
  while (turn.done !== true) {
    const { sql, values, rowsRead, passing } = turn.value;
    if (rowsRead !== undefined && rows + rowsRead > rowsMax) throw new TooManyRowsError(rowsMax);
    if (performance.now() > endsAt) {
      throw new StoreBusyError(`the read took longer than ${timeMs} ms (reads.timeMs): ask again later`);
    }
    const found = await (passing === true ? session.rowsOnce(sql, values) : session.rows(sql, values));
    rows += rowsRead ?? found.length;
    turn = reading.next(found);
  }
  return turn.value;
}
