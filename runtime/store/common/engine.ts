import type { Listing } from "../sql/listing.ts";
import type { Changes, ColumnValue, PartQuery, Query, QueryShape, Table } from "../tables/index.ts";
import { type Reads, type Writes, UnavailableError, type StoreHealth } from "../ports/index.ts";
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

/** Whether the file can be read and written: one for an open store, reported by all code that uses the file. */
export interface Health {
  now(): StoreHealth;
  /** Something failed. Errors that say nothing of the disk or the file are ignored. */
  failed(error: unknown): void;
  /** A commit has reached the disk. */
  wrote(): void;
  /** Throws the `UnavailableError` of a file that nothing must be read from. */
  requireReadable(): void;
  /** Throws the `UnavailableError` of a file that nothing must be written to. */
  requireWritable(): void;
  /** Resolves if a commit reached the disk within the last seconds or does now; else rejects, saying why not. */
  probed(): Promise<void>;
  close(): void;
}

export interface HealthOptions {
  /** Writes something, through everything that a transaction goes through. */
  probe(): Promise<void>;
  /**
   * Whether a disk that was full has room again. A commit alone does not show it: a small one fits into room that the
   * log has already.
   */
  hasRoom?(): boolean;
  /** Called once for each change. */
  onChange(health: StoreHealth, cause: unknown): void;
}

/** While the store fails, it is written to this often, so that its recovery is noticed without a request. */
const probeEveryMs = 1_000;
/** A commit within so long shows that the disk takes writes. */
const provenMs = 5_000;
/** A single success just after a failure proves little: the log's own room may take a small write. */
const stableMs = 900;

/** Watches over one file. A damaged or replaced file stays so until the store is opened again. */
// oxlint-disable-next-line max-lines-per-function -- every part shares what is known of one store
export function createHealth({ probe, hasRoom, onChange }: HealthOptions): Health {
  let health: StoreHealth = { kind: "well" };
  let failedAtMs = -Infinity;
  let wroteAtMs = -Infinity;
  let last: UnavailableError | undefined;
  let timer: NodeJS.Timeout | undefined;
  let probing: Promise<void> | undefined;
  let isClosed = false;

  return {
    now: () => health,
    failed,
    wrote: () => {
      wroteAtMs = performance.now();
      if (health.kind !== "failing" || isFinal(health) || wroteAtMs - failedAtMs < stableMs) return;
      if (health.reason === "disk-full" && hasRoom?.() === false) return;
      recovered();
    },
    requireReadable: () => {
      if (last?.reason === "damaged") throw last;
    },
    requireWritable: () => {
      if (last !== undefined && isFinal(last)) throw last;
    },
    probed: async () => {
      if (last === undefined && performance.now() - wroteAtMs >= provenMs) await tryWrite();
      if (last !== undefined) throw last;
    },
    close: () => {
      isClosed = true;
      clearTimeout(timer);
    },
  };

  function failed(error: unknown): void {
    if (!(error instanceof UnavailableError)) return;
    failedAtMs = performance.now();
    if (last !== undefined && isFinal(last)) return;
    // The latest failure says what is wrong now; the first may have been a commit that was cut off.
    const isKnown = last?.reason === error.reason;
    last = error;
    if (isKnown) return;
    health = { kind: "failing", reason: error.reason, sinceMs: Date.now() };
    onChange(health, error.cause);
    probeLater();
  }

  function recovered(): void {
    last = undefined;
    health = { kind: "well" };
    clearTimeout(timer);
    timer = undefined;
    onChange(health, undefined);
  }

  function probeLater(): void {
    if (timer !== undefined || isClosed || last === undefined || isFinal(last)) return;
    timer = setTimeout(() => {
      timer = undefined;
      void tryWrite().then(probeLater);
    }, probeEveryMs);
    timer.unref();
  }

  /** How it ended, `failed` and `wrote` were called on the way. */
  function tryWrite(): Promise<void> {
    probing ??= probe()
      .catch(() => undefined)
      .finally(() => {
        probing = undefined;
      });
    return probing;
  }
}

function isFinal({ reason }: { readonly reason: UnavailableError["reason"] }): boolean {
  return reason === "damaged" || reason === "file-replaced";
}
