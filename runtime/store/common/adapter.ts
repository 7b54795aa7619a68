import type {
  LedgerVerification,
  Sealer,
  Store,
  StoreHealth,
  VerifyOptions,
  VerifyProgress,
} from "../ports/index.ts";
import type { Schema } from "../tables/schema.ts";
import type { Rotation, SealProgress } from "./sealing.ts";

/**
 * One kind of store, chosen by the scheme of a database URL. A new kind is a folder beside the others, a row in
 * `runtime/store/index.ts`, and a file in `test/store-contract`.
 */
export interface StoreEngine {
  /** Schemes of its URLs, such as `sqlite:`. */
  readonly schemes: readonly string[];
  /** Whether several processes may have the same store open for writing. */
  readonly isShared: boolean;
  /** Its name in OpenTelemetry's conventions, such as `sqlite`. */
  readonly system: string;
  /** The file of the store, where it is one. Throws a `StoreOpenError` where the URL names none. */
  fileOf?(url: string): string;
  /** The text of an engine's error, with its meaning for the machine. Undefined for errors that are not its own. */
  explain?(error: Error): string | undefined;
  /** Opens the store for reading and writing. Rejects with a `StoreOpenError` that says what to do. */
  open(url: string, schema: Schema, options: OpenStoreOptions): Promise<Store>;
  /** Opens the store for reading alone, beside a service that may be writing to it. */
  openReader(url: string, schema: Schema, options: OpenReaderOptions): Promise<Store>;
  /** Creates the tables or brings them up to date, and seals what is to be sealed. Returns the migrations it applied. */
  migrate(url: string, schema: Schema, options: OpenStoreOptions): Promise<readonly MigrationStep[]>;
  /** The migrations that the database lacks. Changes nothing. */
  plan(url: string, schema: Schema, options: OpenStoreOptions): Promise<readonly MigrationStep[]>;
  /** Verifies the books over one state, and what is known of the database itself. */
  verify(url: string, schema: Schema, options: VerifyOptions): Promise<LedgerVerification>;
  /** Absent where nothing is sealed. */
  readonly sealKeys?: SealKeys;
  /** Absent where the database's own tools copy it. */
  readonly copies?: Copies;
}

/** The keys that seal what is secret in a database. */
export interface SealKeys {
  /** The keys that the database names. */
  known(url: string, schema: Schema): Promise<KnownSealKeys>;
  /** Seals everything with another key. Rejects with a `StoreOpenError` while a service runs. */
  rotate(url: string, schema: Schema, options: RotateOptions): Promise<Rotation>;
}

export interface RotateOptions {
  /**
   * Seals with the new key and opens what the former one has sealed. Asked for once no service has the database: what is refused
   * makes no key.
   */
  both(): Sealer;
  readonly formerKeyId: string;
  readonly progress: SealProgress;
}

/** Backups of a store that is a file. */
export interface Copies {
  /**
   * Copies one state of the database, which a service may be writing to, and verifies the copy. It appears under its name
   * complete, readable by its owner alone, or not at all. Rejects with a `StoreOpenError` if it is not sound, or if there
   * is such a file and `replace` does not allow to replace it.
   */
  backUp(
    url: string,
    schema: Schema,
    target: string,
    options: { readonly replace: boolean; readonly progress: CopyProgress },
  ): Promise<BackedUp>;
  /** Files in a folder that a killed backup has left. A backup that is still being written does not count. */
  unfinished(folder: string): readonly { readonly file: string; readonly bytes: number }[];
  /**
   * Puts a copy of a backup in the place of the database, which no process has open. The copy is migrated, has the
   * right key and is verified before anything is replaced. What was there is kept beside it.
   */
  restore(source: string, url: string, schema: Schema, options: RestoreOptions): Promise<Restored>;
}

export interface RestoreOptions {
  readonly sealer: SealerSource;
  readonly progress: CopyProgress;
  /** Called when the copy is ready, before anything is replaced: the key of what it seals is put in place. */
  beforeReplacing?(): void;
}

export interface CopyProgress {
  copied(pages: number, of: number): void;
  verified(progress: VerifyProgress): void;
}

export interface BackedUp {
  readonly file: string;
  readonly bytes: number;
  /** The key that opens its secrets; absent where nothing was sealed. */
  readonly sealKeyId?: string;
  readonly verification: LedgerVerification;
}

export interface Restored {
  readonly verification: LedgerVerification;
  /** Where the files that were replaced are; absent where there were none. */
  readonly replaced?: string;
}

/** One step from one shape of a database to the next. */
export interface MigrationStep {
  readonly number: number;
  readonly name: string;
  /** All of its statements. */
  readonly sql: string;
}

/** A step that begins, one of those that the database lacks. It may hold up the process until it is done. */
export interface MigrationBegun {
  readonly name: string;
  /** From 1. */
  readonly step: number;
  readonly steps: number;
  /** A file that grows meanwhile. */
  readonly growing?: string;
}

export type MigrationListener = (begun: MigrationBegun) => void;

export interface OpenStoreOptions {
  /** Called before each migration. */
  readonly onMigration?: MigrationListener;
  /** Whether pending migrations are applied; otherwise they are an error. */
  readonly migrate: boolean;
  readonly reads: ReadOptions;
  readonly connections: ConnectionOptions;
  /** Called once for each change of the store's health, with the failure behind it. */
  readonly onHealth?: HealthListener;
  /** Returns the service's own key, which seals personal data. Absent: nothing is sealed. */
  readonly sealer?: SealerSource;
}

export type OpenReaderOptions = Pick<OpenStoreOptions, "connections"> & { readonly sealer?: Sealer };

/** How much one list may take, and who reads it. */
export interface ReadOptions {
  /** Threads that read; 0: one fewer than there are processors, from 1 to 4. An embedded database uses them. */
  readonly threads: number;
  /** Rows that one list may look at. Entries of an index alone count a fourth. */
  readonly rowsMax: number;
  /** Milliseconds that one list may take. */
  readonly timeMs: number;
}

/** Connections to a database server. An embedded database ignores them. */
export interface ConnectionOptions {
  readonly poolSize: number;
  /** How long a statement may run, in milliseconds. */
  readonly statementTimeoutMs: number;
  /** How long connecting may take, or waiting for a free connection. */
  readonly connectTimeoutMs: number;
  /** How long a statement may wait for a lock. Default: half of `statementTimeoutMs`. */
  readonly lockWaitMs?: number;
}

export const standardReads: ReadOptions = { threads: 0, rowsMax: 30_000, timeMs: 1_000 };
export const standardConnections: ConnectionOptions = {
  poolSize: 10,
  statementTimeoutMs: 10_000,
  connectTimeoutMs: 5_000,
};

export type HealthListener = (health: StoreHealth, cause: unknown) => void;

/** The seal keys that a database names. */
export interface KnownSealKeys {
  /** Identifier of the key that seals; absent before the first one, and in files of before keys had identifiers. */
  readonly current?: string;
  /** Whether anything is sealed: then a new key is of no use. */
  readonly isSealed: boolean;
}

/** Returns the service's own key for a database, or throws a `StoreOpenError` that says which one is missing. */
export type SealerSource = (known: KnownSealKeys) => Sealer;

/** The path of a URL such as `sqlite:<path>`. */
export function pathOf(url: string): string {
  return url.slice(url.indexOf(":") + 1);
}

/** A database cannot be opened as a store; the message says why and what to do. */
export class StoreOpenError extends Error {
  override readonly name = "StoreOpenError";
}

/** The command works on the file of a store, and the configured store has none. */
export function noFileError(): StoreOpenError {
  return new StoreOpenError(
    "This command needs a database in an SQLite file: set LEDGER_DATABASE_URL to sqlite:<path>, or LEDGER_DATA_DIR",
  );
}
