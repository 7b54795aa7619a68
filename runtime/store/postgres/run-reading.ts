import { StoreBusyError, TooManyRowsError } from "../ports/index.ts";
import type { ReadOptions } from "../common/adapter.ts";
import type { Reading } from "../sql/reading.ts";
import type { Session } from "./connections.ts";
import type { PgValue } from "./dialect.ts";

export type ReadLimits = Pick<ReadOptions, "rowsMax" | "timeMs">;

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
