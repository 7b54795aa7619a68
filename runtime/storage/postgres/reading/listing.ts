import {
  StoreBusyError,
  TooManyRowsError,
  type AccountListing,
  type AccountQuery,
  type TransactionQuery,
} from "../../../ports/index.ts";
import type { ReadOptions } from "../../common/adapter.ts";
import { accountListing } from "../../sql/listing/account-listing.ts";
import { decodeListed } from "../../sql/listing/listed.ts";
import { transactionListing } from "../../sql/listing/transaction-listing.ts";
import type { Reading } from "../../sql/reading.ts";
import type { Session } from "../connections.ts";
import { pgDialect, type PgValue } from "../dialect.ts";

type Limits = Pick<ReadOptions, "rowsMax" | "timeMs">;

/** A page of accounts, within the rows and the time that one list may take. */
export async function listAccounts(
  session: Session,
  query: AccountQuery,
  limits: Limits,
): Promise<readonly AccountListing[]> {
  const rows = await runReading(session, accountListing(query, pgDialect), limits);
  return rows.map((row) => decodeListed(row, pgDialect));
}

/** The rows of a page of transactions, within the time that one list may take. */
export function listTransactions(
  session: Session,
  query: TransactionQuery,
  limits: Limits,
): Promise<readonly (readonly PgValue[])[]> {
  return runReading(session, transactionListing(query, pgDialect), limits);
}

/** Executes a reading step by step. Rejects with a `TooManyRowsError` or a `StoreBusyError`. */
async function runReading<T>(
  session: Session,
  reading: Reading<PgValue, T>,
  { rowsMax, timeMs }: Limits,
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
