import type {
  AccountListing,
  AccountQuery,
  ListingPage,
  TransactionQuery,
  TransactionRecord,
} from "../../runtime/ports/index.ts";

/** A page of accounts with the names beside them, by creation, then id. */
export function accountPage(query: AccountQuery): ListingPage<AccountListing> {
  return { from: (listings) => listings.listAccounts(query) };
}

/** A page of the transactions that an account is a side of, by creation, then id. */
export function transactionPage(query: TransactionQuery): ListingPage<TransactionRecord> {
  return { from: (listings) => listings.listTransactions(query) };
}
