import { existsSync, statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { messageOf, omitUndefined } from "../../contract/index.ts";
import type { Sealer, Store } from "../ports/index.ts";
import {
  checkedAtOpenBytesMax,
  damageIn,
  requireWholeFiles,
  requireWholeSchema,
} from "./file-check/check-file.ts";
import { damagedFile, declaredFault, unavailableReasonOf } from "./errors.ts";
import {
  standardReads,
  type HealthListener,
  type KnownSealKeys,
  type MigrationListener,
  type MigrationStep,
  type ReadOptions,
  type SealerSource,
} from "../common/adapter.ts";
import { StoreOpenError } from "../common/store-open-error.ts";
import { prepareFile } from "./files.ts";
import { versions } from "./migrations.ts";
import { isNew, namesOf } from "../common/versions.ts";
import { lockForWriting } from "./lock.ts";
import { clearMarkWithoutLog } from "./log/log-mark.ts";
import { applyMigrations, pendingMigrations } from "./migrate.ts";
import { knownSealKeys, requireSealKey, rotateSealKey } from "./seal/seal-keys.ts";
import type { Rotation, SealProgress } from "../common/sealed-places.ts";
import { readerStore, writerStore } from "./store.ts";

/**
 * Opens the store in one SQLite file, for this process alone. Throws a `StoreOpenError` while another process has it
 * open, if the file is damaged or not one of this version's, or if migrations are missing and `migrate` does not allow
 * to create the file and bring it up to date.
 */
export async function openSqliteStore(options: {
  readonly file: string;
  readonly migrate: boolean;
  /** Called once for each change of the store's health. */
  readonly onHealth?: HealthListener;
  readonly reads?: ReadOptions;
  /** Called before each migration. */
  readonly onMigration?: MigrationListener;
  /** Gives the service's own key, which seals personal data. Absent, as in tests of other things: nothing is sealed. */
  readonly sealer?: SealerSource;
  /** How long a transaction waits while another program holds the lock. */
  readonly lockWaitMs?: number;
}): Promise<Store> {
  const { file, onHealth = () => undefined, reads = standardReads, lockWaitMs } = options;
  let sealer: Sealer | undefined;
  requireWholeFiles(file);
  if (options.migrate) prepareFile(file);
  else requireFile(file);
  const unlock = lockForWriting(file);
  try {
    withDatabase(file, (database) => {
      requireSound(database, file);
      if (options.migrate) applyMigrations(database, file, versions, options.onMigration);
      else requireUpToDate(database, file);
      requireWholeSchema(database, file);
      // A backup that was put here by hand has another mode.
      database.exec("PRAGMA journal_mode = WAL");
      sealer = options.sealer?.(knownSealKeys(database));
      if (sealer !== undefined) requireSealKey(database, file, sealer, options.migrate);
    });
    return writerStore(file, { unlock, onHealth, sealer, reads, ...omitUndefined({ lockWaitMs }) });
  } catch (error) {
    unlock();
    throw error;
  }
}

/**
 * Opens the store for reading only, while another process may be writing to it. Transactions are refused; records with
 * sealed fields are read where `sealer` is given.
 */
export async function openSqliteReader(options: {
  readonly file: string;
  readonly sealer?: Sealer;
}): Promise<Store> {
  requireWholeFiles(options.file);
  requireFile(options.file);
  withDatabase(options.file, (database) => requireUpToDate(database, options.file));
  return readerStore(options.file, options.sealer);
}

/** Creates the file or brings it up to date, and seals what is to be. Returns the migrations that it lacked. */
export async function migrate(
  file: string,
  sealer?: SealerSource,
  onMigration?: MigrationListener,
): Promise<readonly MigrationStep[]> {
  requireWholeFiles(file);
  prepareFile(file);
  const unlock = lockForWriting(file);
  try {
    return withDatabase(file, (database) => {
      requireSound(database, file);
      const pending = applyMigrations(database, file, versions, onMigration);
      if (sealer !== undefined) {
        requireSealKey(database, file, sealer(knownSealKeys(database)), true);
      }
      return pending;
    });
  } finally {
    unlock();
  }
}

/** The migrations that the file lacks; all of them where there is no file. */
export function plannedMigrations(file: string): readonly MigrationStep[] {
  requireWholeFiles(file);
  if (!existsSync(file)) return [versions.whole];
  return withDatabase(file, (database) => pendingMigrations(database, file).map(({ step }) => step));
}

/** Seals everything in the file with the first of both keys. Throws a `StoreOpenError` while a process has it open. */
export function rotateSealKeyOf(options: {
  readonly file: string;
  both(): Sealer;
  readonly formerKeyId: string;
  readonly progress: SealProgress;
}): Rotation {
  const { file, both, formerKeyId, progress } = options;
  requireWholeFiles(file);
  requireFile(file);
  const unlock = lockForWriting(file);
  try {
    return withDatabase(file, (database) => {
      requireSound(database, file);
      requireUpToDate(database, file);
      return rotateSealKey(database, file, both(), formerKeyId, progress);
    });
  } finally {
    unlock();
  }
}

/** The seal keys that a file names, which may be in use. */
export function sealKeysOf(file: string): KnownSealKeys {
  requireWholeFiles(file);
  requireFile(file);
  return withDatabase(file, (database) => {
    requireUpToDate(database, file);
    return knownSealKeys(database);
  });
}

export function requireFile(file: string): void {
  if (existsSync(file)) return;
  throw new StoreOpenError(`${file} does not exist: run \`ledger-server migrate\` to create it`);
}

export function requireUpToDate(database: DatabaseSync, file: string): void {
  const pending = pendingMigrations(database, file);
  if (pending.length === 0) return;
  if (isNew(pending)) {
    throw new StoreOpenError(
      `${file} is empty: where it held a bank, restore the latest backup (\`ledger-server restore <backup>\`); ` +
        "for a new one run `ledger-server migrate`",
    );
  }
  throw new StoreOpenError(`${file} lacks migration ${namesOf(pending)}: run \`ledger-server migrate\``);
}

/** Throws a `StoreOpenError` for a damaged file, unless it is so large that a thread has to look for that later. */
function requireSound(database: DatabaseSync, file: string): void {
  const damage = statSync(file).size > checkedAtOpenBytesMax ? undefined : damageIn(database);
  if (damage !== undefined) throw damagedFile(file, damage);
}

function withDatabase<T>(file: string, use: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(file);
  try {
    return use(database);
  } catch (error) {
    if (error instanceof StoreOpenError) throw error;
    throw unavailableReasonOf(error) === "damaged"
      ? damagedFile(file, messageOf(error), error)
      : declaredFault(error);
  } finally {
    database.close();
    clearMarkWithoutLog(file);
  }
}
