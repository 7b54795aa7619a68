import type { Listing } from "../sql/listing.ts";
import type { Changes, ColumnValue, PartQuery, Query, QueryShape, Table } from "../tables/index.ts";

/** An answer given at once by an embedded database, later by a server. */
export type MaybePromise<T> = T | Promise<T>;

/** The little that an adapter has to answer; `readsOf` makes `Reads` of it. */
export interface ReadEngine {
  /** The only record that matches. */
  one<R>(query: Query<R>, values: readonly ColumnValue[]): MaybePromise<R | undefined>;
  many<R>(query: Query<R> | PartQuery<R>, values: readonly ColumnValue[]): MaybePromise<readonly R[]>;
  /** How many match, without regard to a limit: `values` has none. */
  count(query: QueryShape, values: readonly ColumnValue[]): MaybePromise<number>;
  /** A page of a list that the application brings. */
  list<Asked, R>(listing: Listing<Asked, R>, asked: Asked): MaybePromise<readonly R[]>;
}

/** The little that an adapter has to do; `withTransaction` makes `Writes` of it. */
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
  /** Changes some fields of the records that match, a field given as `undefined` to absent. Gives how many. */
  update<R>(query: Query<R>, changes: Changes<R>, values: readonly ColumnValue[]): MaybePromise<number>;
  /** Removes the records that match, and gives them in their order. */
  take<R>(query: Query<R>, values: readonly ColumnValue[]): MaybePromise<readonly R[]>;
  remove<R>(query: Query<R>, values: readonly ColumnValue[]): MaybePromise<void>;
}
