import type { AccountListing, AccountQuery, Changes } from "../ports/index.ts";
import type { PostingPlan } from "./posting-plan.ts";
import type { Query, QueryShape } from "./queries.ts";
import type { ColumnValue, Table } from "./tables/index.ts";

/** An answer given at once by an embedded database, later by a server. */
export type MaybePromise<T> = T | Promise<T>;

/** The little that an adapter has to answer; `storeView` makes a `StoreView` of it. */
export interface ReadEngine {
  /** The only record that matches. */
  one<R>(query: Query<R>, values: readonly ColumnValue[]): MaybePromise<R | undefined>;
  many<R>(query: Query<R>, values: readonly ColumnValue[]): MaybePromise<readonly R[]>;
  /** How many match, without regard to a limit: `values` has none. */
  count(query: QueryShape, values: readonly ColumnValue[]): MaybePromise<number>;
  listAccounts(query: AccountQuery): MaybePromise<readonly AccountListing[]>;
}

/** The little that an adapter has to do; `storeTransaction` makes a `StoreTransaction` of it. */
export interface WriteEngine extends ReadEngine {
  /** Throws `DuplicateRecordError`, or another error where a reference leads nowhere. Then nothing has changed. */
  insert<R>(table: Table<R>, record: R): MaybePromise<void>;
  /** Inserts the record, or replaces the one with its key. */
  put<R>(table: Table<R>, record: R): MaybePromise<void>;
  /** Throws if no record has the key; otherwise as `insert`. */
  replace<R>(table: Table<R>, record: R): MaybePromise<void>;
  /** Changes some fields of the records that match, a field given as `undefined` to absent. Gives how many. */
  update<R>(query: Query<R>, values: readonly ColumnValue[], changes: Changes<R>): MaybePromise<number>;
  /** Removes the records that match, and gives them in their order. */
  take<R>(query: Query<R>, values: readonly ColumnValue[]): MaybePromise<readonly R[]>;
  remove<R>(query: Query<R>, values: readonly ColumnValue[]): MaybePromise<void>;
  /** Writes the postings and moves the accounts, or throws and changes nothing. */
  append(plan: PostingPlan): MaybePromise<void>;
}
