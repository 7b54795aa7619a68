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
  StoreOpenError,
} from "../common/adapter.ts";
import { prepareFile, lockForWriting } from "./files.ts";
import { versions, applyMigrations, pendingMigrations } from "./schema.ts";
import type { Schema } from "../tables/schema.ts";
import { isNew, namesOf, pendingOf, type Versions } from "../common/versions.ts";
import { clearMarkWithoutLog } from "./log/log-mark.ts";
import { knownSealKeys, requireSealKey, rotateSealKey } from "./seal-keys.ts";
import { sealedPlaces, type Rotation, type SealProgress } from "../common/sealing.ts";
import { readerStore, writerStore } from "./store.ts";

/**
 * Opens the store in one SQLite file, for this process alone. Throws a `StoreOpenError` if another process has the
 * file open, if it is damaged, or if it belongs to another version. It also throws if migrations are missing and
 * `migrate` does not allow to apply them.
 */
export async function openSqliteStore(options: {
  readonly file: string;
  readonly schema: Schema;
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
  const { file, schema, onHealth = () => undefined, reads = standardReads, lockWaitMs } = options;
  const known = versions(schema);
  let sealer: Sealer | undefined;
  requireWholeFiles(file, known);
  if (options.migrate) prepareFile(file);
  else requireFile(file);
  const unlock = lockForWriting(file);
  try {
    withDatabase(file, (database) => {
      requireSound(database, file);
      if (options.migrate) applyMigrations(database, file, known, options.onMigration);
      else requireUpToDate(database, file, known);
      requireWholeSchema(database, file, schema);
      // A backup that was put here by hand has another mode.
      database.exec("PRAGMA journal_mode = WAL");
      const places = sealedPlaces(schema);
      sealer = options.sealer?.(knownSealKeys(database, places));
      if (sealer !== undefined) requireSealKey(database, places, { file, sealer, mayWrite: options.migrate });
    });
    return writerStore(file, schema, { unlock, onHealth, sealer, reads, ...omitUndefined({ lockWaitMs }) });
  } catch (error) {
    unlock();
    throw error;
  }
}

/**
 * Opens the store for reading only, while another process may be writing to it. Transactions are refused; records with
 * sealed fields are read where `sealer` is given.
 */
export async function openSqliteReader({
  file,
  schema,
  sealer,
}: {
  readonly file: string;
  readonly schema: Schema;
  readonly sealer?: Sealer;
}): Promise<Store> {
  const known = versions(schema);
  requireWholeFiles(file, known);
  requireFile(file);
  withDatabase(file, (database) => requireUpToDate(database, file, known));
  return readerStore(file, schema, sealer);
}

/** Creates the file or brings it up to date, and seals what is to be. Returns the migrations that it lacked. */
export async function migrate(
  file: string,
  schema: Schema,
  sealer?: SealerSource,
  onMigration?: MigrationListener,
): Promise<readonly MigrationStep[]> {
  const known = versions(schema);
  requireWholeFiles(file, known);
  prepareFile(file);
  const unlock = lockForWriting(file);
  try {
    return withDatabase(file, (database) => {
      requireSound(database, file);
      const pending = applyMigrations(database, file, known, onMigration);
      if (sealer !== undefined) {
        const places = sealedPlaces(schema);
        const given = sealer(knownSealKeys(database, places));
        requireSealKey(database, places, { file, sealer: given, mayWrite: true });
      }
      return pending;
    });
  } finally {
    unlock();
  }
}

/** The migrations that the file lacks; all of them where there is no file. */
export function plannedMigrations(file: string, schema: Schema): readonly MigrationStep[] {
  const known = versions(schema);
  requireWholeFiles(file, known);
  const pending = existsSync(file)
    ? withDatabase(file, (database) => pendingMigrations(database, file, known))
    : pendingOf([], known, file);
  return pending.map(({ step }) => step);
}

/** Seals everything in the file with the first of both keys. Throws a `StoreOpenError` while a process has it open. */
export function rotateSealKeyOf(options: {
  readonly file: string;
  readonly schema: Schema;
  both(): Sealer;
  readonly formerKeyId: string;
  readonly progress: SealProgress;
}): Rotation {
  const { file, schema, both, formerKeyId, progress } = options;
  const known = versions(schema);
  requireWholeFiles(file, known);
  requireFile(file);
  const unlock = lockForWriting(file);
  try {
    return withDatabase(file, (database) => {
      requireSound(database, file);
      requireUpToDate(database, file, known);
      const places = sealedPlaces(schema);
      return rotateSealKey(database, places, { file, both: both(), formerKeyId, progress });
    });
  } finally {
    unlock();
  }
}

/** The seal keys that a file names, which may be in use. */
export function sealKeysOf(file: string, schema: Schema): KnownSealKeys {
  const known = versions(schema);
  requireWholeFiles(file, known);
  requireFile(file);
  return withDatabase(file, (database) => {
    requireUpToDate(database, file, known);
    return knownSealKeys(database, sealedPlaces(schema));
  });
}

export function requireFile(file: string): void {
  if (existsSync(file)) return;
  throw new StoreOpenError(`${file} does not exist: run \`ledger-server migrate\` to create it`);
}

export function requireUpToDate(database: DatabaseSync, file: string, known: Versions): void {
  const pending = pendingMigrations(database, file, known);
  if (pending.length === 0) return;
  if (isNew(pending)) {
    throw new StoreOpenError(
      `${file} is empty: where it held books, restore the latest backup (\`ledger-server restore <backup>\`); ` +
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
