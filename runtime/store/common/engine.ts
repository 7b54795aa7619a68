import type { Listing } from "../sql/listing.ts";
import type { Changes, ColumnValue, PartQuery, Query, QueryShape, Table } from "../tables/index.ts";
import type { Reads, Writes } from "../ports/index.ts";
import type { QueryValue } from "../tables/query.ts";

/** An answer given at once by an embedded database, later by a server. */
type MaybePromise<T> = T | Promise<T>;

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

/** Asks an engine the questions of the port. */
export function readsOf(engine: ReadEngine): Reads {
  return {
    one: async (query, ...values) => engine.one(query, columnValues(values)),
    many: async (query, ...values) => engine.many(query, columnValues(values)),
    count: async (query, ...values) => engine.count(query, columnValues(values)),
    page: async (page) =>
      "query" in page ? engine.many(page.query, columnValues(page.values)) : page.from(engine),
  };
}

/** Runs `work` with a transaction over an engine; once it has ended, the transaction refuses everything. */
export async function withTransaction<T>(engine: WriteEngine, work: (tx: Writes) => Promise<T>): Promise<T> {
  let isOpen = true;
  const opened = (): WriteEngine => {
    if (!isOpen) throw new Error("the transaction has ended: await everything it does before returning");
    return engine;
  };
  const tx: Writes = {
    one: async (query, ...values) => opened().one(query, columnValues(values)),
    many: async (query, ...values) => opened().many(query, columnValues(values)),
    count: async (query, ...values) => opened().count(query, columnValues(values)),
    page: async (page) =>
      "query" in page ? opened().many(page.query, columnValues(page.values)) : page.from(opened()),
    insert: async (table, ...records) => {
      for (const record of records) table.requireNew(record);
      return opened().insertAll(table, records);
    },
    put: async (table, ...records) => opened().putAll(table, records),
    replace: async (table, record, before) => opened().replace(table, record, before),
    update: async (query, changes, ...values) => opened().update(query, changes, columnValues(values)),
    take: async (query, ...values) => opened().take(query, columnValues(values)),
    remove: async (query, ...values) => opened().remove(query, columnValues(values)),
  };
  try {
    return await work(tx);
  } finally {
    isOpen = false;
  }
}

/** Lists of texts travel as JSON. */
function columnValues(values: readonly QueryValue[]): readonly ColumnValue[] {
  return values.map((value) => (isList(value) ? JSON.stringify(value) : value));
}

function isList(value: QueryValue): value is readonly string[] {
  return Array.isArray(value);
}

/** Waits for all, so that nothing is under way when the first failure is thrown. */
export async function together<const All extends readonly Promise<unknown>[]>(
  all: All,
): Promise<{ -readonly [At in keyof All]: Awaited<All[At]> }> {
  await Promise.allSettled(all);
  return Promise.all(all);
}
