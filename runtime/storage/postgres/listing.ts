import {
  StoreBusyError,
  TooManyRowsError,
  type AccountListing,
  type AccountQuery,
} from "../../ports/index.ts";
import type { ReadOptions } from "../common/adapter.ts";
import { accountListing } from "../sql/listing/account-listing.ts";
import { decodeListed } from "../sql/listing/listed.ts";
import type { Session } from "./connections.ts";
import { pgDialect } from "./dialect.ts";

/** A page of accounts, step by step, within the rows and the time that one list may take. */
export async function listAccounts(
  session: Session,
  query: AccountQuery,
  { rowsMax, timeMs }: Pick<ReadOptions, "rowsMax" | "timeMs">,
): Promise<readonly AccountListing[]> {
  const endsAt = performance.now() + timeMs;
  const reading = accountListing(query, pgDialect);
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
  return turn.value.map((row) => decodeListed(row, pgDialect));
}
