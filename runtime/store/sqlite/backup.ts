import {
  closeSync,
  existsSync,
  linkSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { messageOf, omitUndefined } from "../../contract/index.ts";
import { UnavailableError, type LedgerVerification } from "../ports/index.ts";
import {
  requireCurrentVersion,
  requireWholeFiles,
  requireWholeSchema,
  restoreSuffixes,
} from "./file-check/check-file.ts";
import { codeOf, declaredFault, unavailableReasonOf } from "./errors.ts";
import {
  StoreOpenError,
  type BackedUp,
  type CopyProgress,
  type Restored,
  type RestoreOptions,
} from "../common/adapter.ts";
import { sync, freeBytesAt, roomFor, type FreeBytes, lockForWriting } from "./files.ts";
import { applyMigrations, pendingMigrations, versions } from "./schema.ts";
import { isNew, namesOf, type Versions } from "../common/versions.ts";
import { sealedPlaces } from "../common/sealing.ts";
import type { Schema } from "../tables/schema.ts";
import { knownSealKeys, requireSealKey } from "./seal-keys.ts";
import { markFile } from "./log/log-mark.ts";
import { verifySqliteFile } from "./verify.ts";

/** Pages copied before the event loop goes on. */
const pagesAtOnce = 256;
const busyTimeoutMs = 10_000;

/** Copies the database in a file to another file, and verifies the copy (`Copies.backUp`). */
export async function backUp(
  file: string,
  schema: Schema,
  target: string,
  options: {
    readonly replace: boolean;
    readonly progress: CopyProgress;
    readonly freeBytes?: FreeBytes;
  },
): Promise<BackedUp> {
  const { replace, progress, freeBytes = freeBytesAt } = options;
  if (!replace && existsSync(target)) throw taken(target);
  const known = versions(schema);
  requireCurrentVersion(file, known);
  const part = `${target}.${process.pid}.part`;
  try {
    const named = "the data folder of the service (LEDGER_DATA_DIR)";
    await copyDatabase({ source: file, known, part, database: file, named, progress, freeBytes });
    const sealKeyId = withFile(part, (database) => {
      // One file without a log, which can be read where nothing can be written.
      database.exec("PRAGMA journal_mode = DELETE");
      requireMigrated(database, file, known);
      return knownSealKeys(database, sealedPlaces(schema)).current;
    });
    const verification = requireSound(part, schema, `${file} is not sound: no backup was made`, progress);
    sync(part);
    publish(part, target, replace);
    const { size: bytes } = statSync(target);
    return omitUndefined({ file: target, bytes, verification, sealKeyId });
  } catch (error) {
    throw isOfCopy(error, part) ? unwritable(target, error) : error;
  } finally {
    removeDatabase(part);
  }
}

/**
 * Files of `<folder>` that a backup which was killed has left, and their bytes. A backup that is still being written
 * does not count.
 */
export function unfinishedBackups(
  folder: string,
): readonly { readonly file: string; readonly bytes: number }[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((name) => {
    const [, processId] = /\.(\d{1,10})\.part$/.exec(name) ?? [];
    if (processId === undefined || isRunning(Number(processId))) return [];
    const file = join(folder, name);
    const stats = statSync(file, { throwIfNoEntry: false });
    return stats === undefined ? [] : [{ file, bytes: stats.size }];
  });
}

function isRunning(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    // Of another user.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** Puts a backup in the place of a file (`Copies.restore`). */
export async function restore(
  source: string,
  file: string,
  schema: Schema,
  { sealer, progress, beforeReplacing }: RestoreOptions,
): Promise<Restored> {
  const known = versions(schema);
  requireCurrentVersion(source, known);
  const unlock = lockForWriting(file);
  const part = `${file}${restoreSuffixes.restoring}`;
  try {
    removeDatabase(part);
    const named = "a file that `ledger-server backup` made";
    await copyDatabase({
      source,
      known,
      part,
      database: file,
      named,
      progress,
      freeBytes: freeBytesAt,
    });
    withFile(part, (database) => {
      requireBackup(database, source, known);
      applyMigrations(database, source, known);
      requireWholeSchema(database, source, schema);
      const places = sealedPlaces(schema);
      const given = sealer(knownSealKeys(database, places));
      requireSealKey(database, places, { file: source, sealer: given, mayWrite: true });
      database.exec("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = WAL");
    });
    const verification = requireSound(part, schema, `${source} is not sound: nothing was replaced`, progress);
    sync(part);
    beforeReplacing?.();
    const replaced = renamedAway(file);
    renameSync(part, file);
    sync(dirname(file));
    return omitUndefined({ verification, replaced });
  } catch (error) {
    const reason = unavailableReasonOf(error);
    if (reason === "disk-full") throw noRoomFor(source, file, error);
    throw reason === "damaged" ? damagedBackup(source, error) : error;
  } finally {
    removeDatabase(part);
    unlock();
  }
}

/**
 * Copies one state while others write: the source's read transaction lasts as long as the copy takes. Leaves the room that the
 * service over `database` needs, whose log cannot start over meanwhile.
 */
async function copyDatabase(options: {
  readonly source: string;
  readonly known: Versions;
  readonly part: string;
  readonly database: string;
  /** What the source is, where it is not. */
  readonly named: string;
  readonly progress: CopyProgress;
  readonly freeBytes: FreeBytes;
}): Promise<void> {
  const { source, part, progress, named } = options;
  requireWholeFiles(source, options.known);
  const stats = statSync(source, { throwIfNoEntry: false });
  if (stats?.isFile() !== true) {
    const is = stats === undefined ? "does not exist" : stats.isDirectory() ? "is a folder" : "is no file";
    throw new StoreOpenError(`${source} ${is}: name ${named}`);
  }
  closeSync(openSync(part, "wx", 0o600));
  const database = new DatabaseSync(source, { readOnly: true, timeout: busyTimeoutMs });
  try {
    database.exec("BEGIN");
    const pages = Number(database.prepare("PRAGMA page_count").get()?.["page_count"]);
    const pageBytes = Number(database.prepare("PRAGMA page_size").get()?.["page_size"]);
    const requireRoom = roomFor(part, options.database, options.freeBytes);
    requireRoom(pages * pageBytes);
    await backup(database, part, {
      rate: pagesAtOnce,
      progress: ({ totalPages, remainingPages }) => {
        requireRoom(remainingPages * pageBytes);
        progress.copied(totalPages - remainingPages, totalPages);
      },
    });
  } catch (error) {
    throw declaredFault(error);
  } finally {
    database.close();
  }
}

/** Refuses what holds nothing of this service: an empty file would become empty books. */
function requireBackup(database: DatabaseSync, source: string, known: Versions): void {
  if (!isNew(pendingMigrations(database, source, known))) return;
  throw new StoreOpenError(
    `${source} is empty, and no backup: nothing was replaced. Name a file that \`ledger-server backup\` made`,
  );
}

/** The data folder has nothing wrong: only the backup and its copy were read. */
function damagedBackup(source: string, cause: unknown): StoreOpenError {
  return new StoreOpenError(
    `${source} is damaged: ${rootMessageOf(cause)}. Nothing was replaced. Restore an earlier backup`,
    { cause },
  );
}

function noRoomFor(source: string, file: string, cause: unknown): StoreOpenError {
  return new StoreOpenError(
    `${source} cannot be restored: ${rootMessageOf(cause)}. Nothing was replaced; make room in ${dirname(file)}, or name ` +
      "another folder: LEDGER_DATA_DIR=<folder>",
    { cause },
  );
}

/** Refuses a file that lacks migrations: this version cannot verify it. */
function requireMigrated(database: DatabaseSync, file: string, known: Versions): void {
  const pending = pendingMigrations(database, file, known);
  if (pending.length === 0) return;
  throw new StoreOpenError(
    `${file} lacks migration ${namesOf(pending)}, so this version cannot verify a copy of it. Before an upgrade make ` +
      "the backup with the version that wrote it; or stop the service, copy the data folder, and run `ledger-server migrate`",
  );
}

function requireSound(
  file: string,
  schema: Schema,
  otherwise: string,
  progress: CopyProgress,
): LedgerVerification {
  const verification = verifySqliteFile(file, schema, { onProgress: progress.verified });
  if (verification.isSound) return verification;
  const [first] = verification.findings;
  throw new StoreOpenError(
    `${otherwise}. ${first === undefined ? "" : `${first.table}: ${first.what}. `}` +
      "`ledger-server verify` says all that is wrong; restore an earlier backup",
  );
}

function withFile<T>(file: string, use: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(file);
  try {
    return use(database);
  } catch (error) {
    throw declaredFault(error);
  } finally {
    database.close();
  }
}

/** Gives a complete file its name. */
function publish(part: string, target: string, replace: boolean): void {
  if (replace) renameSync(part, target);
  else {
    try {
      linkSync(part, target);
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "EEXIST") throw taken(target);
      throw error;
    }
  }
  sync(dirname(target));
}

/** Moves a database aside, the log after it: a log alone is recognised, a database without its log is not. */
function renamedAway(file: string): string | undefined {
  const aside = `${file}${restoreSuffixes.replaced}${new Date().toISOString().replaceAll(":", "-")}`;
  let isAny = false;
  for (const suffix of ["", "-wal"]) {
    if (!existsSync(`${file}${suffix}`)) continue;
    renameSync(`${file}${suffix}`, `${aside}${suffix}`);
    sync(dirname(file));
    isAny = true;
  }
  for (const left of [`${file}-shm`, markFile(file)]) rmSync(left, { force: true });
  return isAny ? aside : undefined;
}

function removeDatabase(file: string): void {
  for (const suffix of ["", "-wal", "-shm", "-journal"]) rmSync(`${file}${suffix}`, { force: true });
  rmSync(markFile(file), { force: true });
}

/** IOERR_WRITE, IOERR_FSYNC, IOERR_DIR_FSYNC, IOERR_TRUNCATE: a backup writes to nothing but the copy. */
const writeFaults: ReadonlySet<number | undefined> = new Set([778, 1034, 1290, 1546]);

/** Whether the copy could not be written, which says nothing of the database. */
function isOfCopy(error: unknown, part: string): boolean {
  return (
    unavailableReasonOf(error) === "disk-full" ||
    writeFaults.has(codeOf(error instanceof UnavailableError ? error.cause : error)) ||
    (error instanceof Error && "path" in error && error.path === part)
  );
}

function unwritable(target: string, cause: unknown): StoreOpenError {
  return new StoreOpenError(
    `${target} cannot be written: ${rootMessageOf(cause)}. ` +
      "Nothing was left of it; make room there, or name a file on another disk",
    { cause },
  );
}

/** The message of SQLite or of the operating system. */
function rootMessageOf(error: unknown): string {
  return messageOf(error instanceof Error ? (error.cause ?? error) : error);
}

function taken(target: string): StoreOpenError {
  return new StoreOpenError(`${target} exists: name another file, or replace it with --force`);
}
