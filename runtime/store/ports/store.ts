import type { DeliveryRecord } from "../records/deliveries.ts";
import type { QueryPage, QueryValue } from "../tables/query.ts";
import type { Changes, PartQuery, Query, QueryShape, Table } from "../tables/table.ts";
import type { Listing } from "../sql/listing.ts";
import type { Audience } from "./store-queries.ts";
import type { OutboxEventRecord } from "../records.ts";
import type { UnavailableReason } from "./store-errors.ts";
import type { LedgerVerification, VerifyOptions } from "./verification.ts";

export type * from "./store-queries.ts";
export * from "./store-errors.ts";
export type { Changes };

/**
 * Where everything is kept. Asynchronous, so that an adapter may group concurrent transactions into one commit or
 * talk to a server; holds nothing that PostgreSQL cannot do. Every adapter passes `test/store-contract`.
 */
export interface Store {
  /** Runs `work` over one consistent view: no commit that was answered before is missing. */
  read<T>(work: (view: Reads) => Promise<T>): Promise<T>;
  /**
   * Runs `work` and commits all of it or nothing. Resolves when the commit is durable; rejects with whatever `work`
   * threw, after rolling back. Transactions may run at the same time, in this process and in others, but their
   * outcome is that of some serial order. What `work` read, or found absent, still holds when it commits. An adapter
   * may run `work` again to bring that about, so `work` touches nothing but the transaction. After any error of a
   * write but a `DuplicateRecordError` of one record, the transaction takes nothing more.
   * `test/store-contract/concurrency.ts` has a case for each of these promises.
   */
  write<T>(work: (tx: Writes) => Promise<T>, options?: WriteOptions): Promise<T>;
  /** Finds whatever of the books does not agree. Reads all of them, and holds up the process meanwhile. */
  verify(options?: VerifyOptions): Promise<LedgerVerification>;
  /** Resolves if the store can be read and, where it is open for writing, written; else rejects, saying why not. */
  ping(): Promise<void>;
  /** How it was when it was last used. */
  health(): StoreHealth;
  close(): Promise<void>;
}

/** Whether a store does its work, and if not, why not and since when. */
export type StoreHealth =
  | { readonly kind: "well" }
  | { readonly kind: "failing"; readonly reason: UnavailableReason; readonly sinceMs: number };

export interface WriteOptions {
  /**
   * `work` changes only deliveries whose claim it takes or holds, and records that it locks by reading. A query's
   * `locks` says whether it waits for another transaction or skips claimed records. Everything else that it reads may
   * be out of date when it commits. An adapter then runs several at once that would meet otherwise.
   */
  readonly isClaim?: boolean;
  /**
   * The changes of `work` are made again if it is lost, from what was durable before. So an adapter may resolve
   * before the commit is on the disk. The commit survives the end of the process at any moment, but perhaps not a
   * loss of power. A loss of power takes only the latest commits, never one before another that is kept.
   */
  readonly isRepeatable?: boolean;
  /** Whose call it is. Where transactions wait for each other, callers have turns; what is nobody's call counts as one. */
  readonly caller?: string;
}

/** The questions of a view. The values of a query are given in the order of its conditions, then its limit. */
export interface Reads {
  /** The only record that matches, or the first one of an order. */
  one<R>(query: Query<R>, ...values: readonly QueryValue[]): Promise<R | undefined>;
  many<R>(query: Query<R> | PartQuery<R>, ...values: readonly QueryValue[]): Promise<readonly R[]>;
  /** How many match: `values` has no limit. Counting ends where the query says. */
  count(query: QueryShape, ...values: readonly QueryValue[]): Promise<number>;
  /**
   * A page of a list. A listing shows one state, its own: that of the view or of a later commit. Where it is the
   * first question, what is asked afterwards may show a later one, too. It rejects with a `TooManyRowsError` if
   * finding the page means looking at more rows than one question may. It rejects with a `StoreBusyError` if too much
   * else is being asked.
   */
  page<R>(page: Page<R>): Promise<readonly R[]>;
}

/** The questions and changes of a transaction. Questions see its own changes. */
export interface Writes extends Reads {
  /**
   * Adds records. Throws a `DuplicateRecordError` if an identifier or a unique field is taken; of several records, the
   * transaction then has to be given up.
   */
  insert<R>(table: Table<R>, ...records: readonly NoInfer<R>[]): Promise<void>;
  /** Adds records, or replaces those with their keys. */
  put<R>(table: Table<R>, ...records: readonly NoInfer<R>[]): Promise<void>;
  /**
   * Replaces the record with the same key. Throws if the record does not exist: callers found it before. `before` is
   * what they found, in the same transaction: what is costly to write and stays as it was is left alone.
   */
  replace<R>(table: Table<R>, record: NoInfer<R>, before?: NoInfer<R>): Promise<void>;
  /** Changes some fields of the records that match, a field given as `undefined` to absent. Gives how many it changed. */
  update<R>(query: Query<R>, changes: Changes<NoInfer<R>>, ...values: readonly QueryValue[]): Promise<number>;
  /** Removes the records that match, and gives them in their order. */
  take<R>(query: Query<R>, ...values: readonly QueryValue[]): Promise<readonly R[]>;
  remove<R>(query: Query<R>, ...values: readonly QueryValue[]): Promise<void>;
}

/** Port: whom an event goes to, among the subscribers of its institution. Asked when the event is published. */
export type Recipients = (
  event: OutboxEventRecord,
  view: Reads,
) => Promise<readonly Omit<Audience, "institutionId">[]>;

/** A page of a query's records, or of what an engine lists in bounded steps. */
export type Page<R> = QueryPage<R> | ListingPage<R>;

export interface ListingPage<R> {
  from(lists: Lists): readonly R[] | Promise<readonly R[]>;
}

/** Reads the lists that an application brings. */
export interface Lists {
  list<Asked, R>(listing: Listing<Asked, R>, asked: Asked): readonly R[] | Promise<readonly R[]>;
}

/**
 * Changes to one delivery or mail, applied only if `claimedBy` still holds its claim, and no attempt was recorded since. A process
 * whose claim ended unnoticed, because the clock was set ahead or the machine slept, may have claimed the delivery again.
 */
export interface ClaimedChange<R = DeliveryRecord> {
  readonly id: string;
  readonly claimedBy: string;
  /** How many there had been when it was claimed. */
  readonly attempts: number;
  readonly changes: Changes<R>;
}
