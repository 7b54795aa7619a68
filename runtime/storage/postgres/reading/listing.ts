import type { AccountListing, AccountQuery, TransactionQuery } from "../../../ports/index.ts";
import { accountListing } from "../../sql/listing/account-listing.ts";
import { decodeListed } from "../../sql/listing/listed.ts";
import { transactionListing } from "../../sql/listing/transaction-listing.ts";
import type { Session } from "../connections.ts";
import { pgDialect, type PgValue } from "../dialect.ts";
import { runReading, type ReadLimits } from "../run-reading.ts";

/** A page of accounts, within the rows and the time that one list may take. */
export async function listAccounts(
  session: Session,
  query: AccountQuery,
  limits: ReadLimits,
): Promise<readonly AccountListing[]> {
  const rows = await runReading(session, accountListing(query, pgDialect), limits);
  return rows.map((row) => decodeListed(row, pgDialect));
}

/** The rows of a page of transactions, within the time that one list may take. */
export function listTransactions(
  session: Session,
  query: TransactionQuery,
  limits: ReadLimits,
): Promise<readonly (readonly PgValue[])[]> {
  return runReading(session, transactionListing(query, pgDialect), limits);
}
