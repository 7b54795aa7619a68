import type { DeliveryRecord, DeliveryState } from "../records/deliveries.ts";
import type { QueryPage, QueryValue } from "../tables/query.ts";
import type { Changes, PartQuery, Query, QueryShape, Table } from "../tables/table.ts";
import type { Listing } from "../sql/listing.ts";
import type { OutboxEventRecord, MailState } from "../records.ts";
import type { UnavailableReason } from "./store-errors.ts";
import type { AuditDraft } from "../records/audit.ts";
import type { Sealer } from "./system.ts";

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

/** Where a page ended. */
export interface PageCursor {
  readonly createdAt: number;
  readonly id: string;
}

/** States of a delivery that is not finished. */
export type OpenState = "PENDING" | "WAITING" | "HELD";

/** Keys of subscriptions: a topic, or the group that a topic belongs to. */
export interface Audience {
  readonly institutionId: string;
  readonly kind: "topic" | "group";
  readonly value: string;
}

/** When a subscription has something to send. */
export type FirstDue = Pick<DeliveryRecord, "subscriptionId" | "dueAt">;

/** Which deliveries to list. Absent members do not narrow. */
export interface DeliveryQuery {
  readonly institutionId: string;
  readonly subscriptionId?: string;
  readonly eventId?: string;
  readonly state?: DeliveryState;
  /** One of the notification's `groupId`. */
  readonly topic?: string;
  /** Happened at or after. */
  readonly from?: number;
  /** Happened before. */
  readonly to?: number;
  /** Only what comes after this one in the list. */
  readonly after?: { readonly createdAt: number; readonly id: string };
  readonly limit: number;
}

/** Which mails to list. */
export interface MailQuery {
  readonly institutionId: string;
  /** Absent: all. */
  readonly state?: MailState;
  /** Only what comes after this one in the list. */
  readonly after?: PageCursor;
  readonly limit: number;
}

export interface AuditQuery {
  readonly institutionId: string;
  /** Absent: everything of the institution. */
  readonly subject?: { readonly type: string; readonly id: string };
  /** Only entries with a smaller number, or of a subject with a smaller position: those after the page before. */
  readonly before?: number;
  /** Only entries with a greater one, and then the oldest first. */
  readonly after?: number;
  readonly limit: number;
}

/** The handler's part of an audit entry; the rest is known from the call. */
export type AuditedChange = Pick<
  AuditDraft,
  "subjectType" | "subjectId" | "changes" | "contentHash" | "isFirst"
>;

/** Writes audit entries, in the transaction of the change. */
export interface AuditTrail {
  record(change: AuditedChange): Promise<void>;
}

/**
 * The kind of fault: `file` — the database's pages or indexes; `schema` — its tables; `reference` — a record refers to
 * none; `chain` — a link of a chain; `record` — a record against its last audit entry; `derived` — a value that is kept
 * twice for speed differs; `sealed` — a sealed text does not open; `root` — the audit entries against a root; any other:
 * a rule of the application.
 */
export type FindingKind = string;

/** Something that is wrong with the books. */
export interface Finding {
  readonly kind: FindingKind;
  readonly table: string;
  /** The record's key; absent where no single record is meant. */
  readonly record?: string;
  /** Names identifiers, amounts, states and hashes; no personal data. */
  readonly what: string;
  readonly todo: string;
}

export interface LedgerVerification {
  /** Whether nothing was found. */
  readonly isSound: boolean;
  /** How many records the application's rules looked at, by the names that it counts them under. */
  readonly records: Readonly<Record<string, number>>;
  readonly auditEntries: number;
  /** Sealed texts that were opened; absent without the key. */
  readonly sealedTexts?: number;
  /** The application's sums, by currency: every value is 0 in sound books. */
  readonly sums: readonly { readonly currency: string; readonly sumMinor: bigint }[];
  /** How many findings there are of each kind. */
  readonly counts: Readonly<Record<FindingKind, number>>;
  /** The first of each kind. */
  readonly findings: readonly Finding[];
  /** The root over all audit entries, for comparison by a later verification: `<number of entries>:<hash>`. */
  readonly root: string;
}

export interface VerifyOptions {
  /** Roots that were kept elsewhere, as `root` gives them. */
  readonly roots?: readonly string[];
  /** Gives the key that the database says it is sealed with. Without it nothing sealed is looked at. */
  readonly sealer?: (keyId: string) => Sealer | undefined;
  readonly onProgress?: (progress: VerifyProgress) => void;
}

export interface VerifyProgress {
  /** The part that is being verified, in words. */
  readonly part: string;
  readonly done: number;
  /** Absent where it is not known. */
  readonly total?: number;
}
