import { TooManyRowsError } from "../../ports/index.ts";
import type { Reading } from "../../sql/reading.ts";
import type { Connection } from "../connection.ts";
import type { SqliteValue } from "../dialect.ts";

/** A reading under way. */
export interface RunningRead<T> {
  /** Executes the next step. Gives whether there is an answer now. Throws a `TooManyRowsError`. */
  step(): boolean;
  /** The answer. Throws before there is one. */
  answer(): T;
}

/** Runs a reading on a connection, step by step. */
export function startRead<T>(
  connection: Connection,
  reading: Reading<SqliteValue, T>,
  rowsMax: number,
): RunningRead<T> {
  let rows = 0;
  let turn = reading.next();
  return {
    step: () => {
      if (turn.done === true) return true;
      const { sql, values, rowsRead, passing } = turn.value;
      if (rowsRead !== undefined && rows + rowsRead > rowsMax) throw new TooManyRowsError(rowsMax);
      const found = passing === true ? connection.rowsOnce(sql, values) : connection.rows(sql, values);
      rows += rowsRead ?? found.length;
      turn = reading.next(found);
      return turn.done === true;
    },
    answer: () => {
      if (turn.done !== true) throw new Error("the read is not done");
      return turn.value;
    },
  };
}

/** Runs a reading to its end. */
export function runRead<T>(connection: Connection, reading: Reading<SqliteValue, T>, rowsMax: number): T {
  const read = startRead(connection, reading, rowsMax);
  while (!read.step());
  return read.answer();
}
