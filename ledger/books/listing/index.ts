import type { ListingPage } from "../../../runtime/store/ports/index.ts";
import type { TransactionRecord } from "../../domain/records/accounts.ts";
import type { Listing } from "../../../runtime/store/sql/index.ts";
import { institutions, type Table } from "../../../runtime/store/tables/index.ts";
import { accounts, customers, transactions } from "../../tables/index.ts";
import { accountListing } from "./account-listing.ts";
import { markedEvery as accountsMarkedEvery, nextAccountMarks } from "./account-marks.ts";
import { compareKeys } from "./keys.ts";
import { listedAccount } from "./listed-account.ts";
import { matches } from "./matches.ts";
import {
  transactionListing,
  addMark,
  markedEvery as transactionsMarkedEvery,
  nextMarks,
} from "./transaction-listing.ts";
import type { AccountListing, AccountQuery, TransactionQuery } from "../../domain/lists.ts";

/** A page of accounts with the names beside them, by creation, then id. */
export function accountPage(query: AccountQuery): ListingPage<AccountListing> {
  return { from: (lists) => lists.list(accountList, query) };
}

/** A page of the transactions that an account is a side of, by creation, then id. */
export function transactionPage(query: TransactionQuery): ListingPage<TransactionRecord> {
  return { from: (lists) => lists.list(transactionList, query) };
}

/** Accounts and customers that are looked at in less time than a question takes to a thread and back. */
const shortListMax = { accounts: 100, customers: 4 };

export const accountList: Listing<AccountQuery, AccountListing> = {
  module: import.meta.url,
  name: "accountList",
  steps: accountListing,
  decode: (row, partOf) => {
    const { length } = listedAccount.columns;
    return {
      account: partOf(listedAccount),
      customerName: String(row[length]),
      institutionName: String(row[length + 1]),
    };
  },
  among: accountsAmong,
  callerOf: ({ askedBy }) => askedBy,
  isShort: ({ condition, customerIds, limit, offset }) =>
    condition === undefined &&
    (customerIds?.length ?? 0) <= shortListMax.customers &&
    offset + limit <= shortListMax.accounts,
  marks: {
    every: accountsMarkedEvery,
    // Elsewhere blocks are skipped.
    placeOf: ({ institutionId, condition, customerIds, offset }, { name }) =>
      name === "sqlite" || condition !== undefined || customerIds !== undefined
        ? undefined
        : { list: institutionId, offset },
    next: ({ institutionId }, limits, dialect) => nextAccountMarks(institutionId, limits, dialect),
  },
};

export const transactionList: Listing<TransactionQuery, TransactionRecord> = {
  module: import.meta.url,
  name: "transactionList",
  steps: transactionListing,
  decode: (_row, partOf) => partOf(transactions),
  among: transactionsAmong,
  callerOf: ({ askedBy }) => askedBy,
  isShort: () => false,
  marks: {
    every: transactionsMarkedEvery,
    placeOf: ({ institutionId, accountId, customerIds, offset }) =>
      customerIds === undefined ? { list: JSON.stringify({ institutionId, accountId }), offset } : undefined,
    *next({ institutionId, accountId }, limits, dialect) {
      const account = { institutionId, accountId };
      const marks = yield* nextMarks(account, limits, dialect);
      return marks.map((mark) => addMark(account, mark, dialect));
    },
  },
};

type Records = <T>(table: Table<T>) => readonly T[];

function accountsAmong(query: AccountQuery, records: Records): readonly AccountListing[] {
  const { institutionId, customerIds, condition, offset, limit } = query;
  const own = records(customers).filter((customer) => customer.institutionId === institutionId);
  return records(accounts)
    .filter((account) => account.institutionId === institutionId)
    .filter(({ customerId }) => customerIds?.includes(customerId) ?? true)
    .map((account) => ({
      account: listedAccount.decode(accounts.encodeColumns(account, listedAccount.columns)),
      customerName: nameOf(own, account.customerId),
      institutionName: nameOf(records(institutions), institutionId),
    }))
    .filter((listed) => condition === undefined || matches(condition, listed))
    .toSorted((left, right) => compareKeys(left.account, right.account))
    .slice(offset, offset + limit);
}

function nameOf(all: readonly { readonly id: string; readonly name: string }[], id: string): string {
  const found = all.find((each) => each.id === id);
  if (found === undefined) throw new Error("an account refers to a missing record");
  return found.name;
}

function transactionsAmong(query: TransactionQuery, records: Records): readonly TransactionRecord[] {
  const { institutionId, accountId, customerIds, offset, limit } = query;
  return records(transactions)
    .filter((transaction) => transaction.institutionId === institutionId)
    .filter(({ debtorAccountId, creditorAccountId }) =>
      [debtorAccountId, creditorAccountId].includes(accountId),
    )
    .filter(({ customerId }) => customerIds?.includes(customerId) ?? true)
    .toSorted(compareKeys)
    .slice(offset, offset + limit);
}
