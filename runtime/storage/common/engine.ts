import type {
  AccountListing,
  AccountQuery,
  Changes,
  TransactionQuery,
  TransactionRecord,
} from "../../ports/index.ts";
import type { PostingPlan } from "../../../ledger/books/posting-plan.ts";
import type { PartQuery, Query, QueryShape } from "./queries.ts";
import type { ColumnValue, Table } from "../tables/index.ts";

/** An answer given at once by an embedded database, later by a server. */
export type MaybePromise<T> = T | Promise<T>;

/** The little that an adapter has to answer; `storeView` makes a `StoreView` of it. */
export interface ReadEngine {
  /** The only record that matches. */
  one<R>(query: Query<R>, values: readonly ColumnValue[]): MaybePromise<R | undefined>;
  many<R>(query: Query<R> | PartQuery<R>, values: readonly ColumnValue[]): MaybePromise<readonly R[]>;
  /** How many match, without regard to a limit: `values` has none. */
  count(query: QueryShape, values: readonly ColumnValue[]): MaybePromise<number>;
  listAccounts(query: AccountQuery): MaybePromise<readonly AccountListing[]>;
  listTransactions(query: TransactionQuery): MaybePromise<readonly TransactionRecord[]>;
}

/** The little that an adapter has to do; `storeTransaction` makes a `StoreTransaction` of it. */
export interface WriteEngine extends ReadEngine {
  /**
   * Throws `DuplicateRecordError`, or another error where a reference leads nowhere. Then that record is not there; the
   * ones before it may be.
   */
  insertAll<R>(table: Table<R>, records: readonly R[]): MaybePromise<void>;
  /** Inserts records, or replaces those with their keys. */
  putAll<R>(table: Table<R>, records: readonly R[]): MaybePromise<void>;
  /**
   * Throws if no record has the key; otherwise as `insertAll` of one. `before`: the record as it is stored, where that is
   * known.
   */
  replace<R>(table: Table<R>, record: R, before?: R): MaybePromise<void>;
  /** Changes some fields of the records that match, a field given as `undefined` to absent. Gives how many of each. */
  updateAll<R>(query: Query<R>, updates: readonly Update<R>[]): MaybePromise<readonly number[]>;
  /** Removes the records that match, and gives them in their order. */
  take<R>(query: Query<R>, values: readonly ColumnValue[]): MaybePromise<readonly R[]>;
  remove<R>(query: Query<R>, values: readonly ColumnValue[]): MaybePromise<void>;
  /** Writes the postings and moves the accounts, or throws and changes nothing. */
  append(plan: PostingPlan): MaybePromise<void>;
}

export interface Update<R> {
  readonly values: readonly ColumnValue[];
  readonly changes: Changes<R>;
}
