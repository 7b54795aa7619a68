import { closeSync, existsSync, openSync, readdirSync, readSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { messageOf } from "../../../contract/index.ts";
import { damageInLog } from "../log/check-log.ts";
import { damagedFile, unavailableReasonOf } from "../errors.ts";
import { StoreOpenError } from "../../common/adapter.ts";
import { emptyLogBytes, requireMarkedLog } from "../log/log-mark.ts";
import type { Versions } from "../../common/versions.ts";
import type { Schema } from "../../tables/schema.ts";
import { pendingMigrations, describe, describeNew, schemaTexts, textsIn } from "../schema.ts";
import { startWorker } from "../../../platform/worker.ts";

/**
 * Files up to this size are checked page by page before the store opens, which takes about 0.1 s. Larger ones are
 * checked by a thread while the store serves (`file-check.ts`).
 */
export const checkedAtOpenBytesMax = 8 * 1024 * 1024;

/** How the files begin that `restore` makes beside a database: what it replaces, and what it has not put in place yet. */
export const restoreSuffixes = { replaced: ".replaced-", restoring: ".restoring" } as const;
const restoreRemains = [restoreSuffixes.replaced, restoreSuffixes.restoring];

const headerText = "SQLite format 3\0";
const headerBytes = 100;

/**
 * Looks at the files before SQLite does, which would take an empty database for a new one and remove its log. Throws a
 * `StoreOpenError` if they cannot be what this service has written.
 */
export function requireWholeFiles(file: string, known: Versions): void {
  // What is no file at all, SQLite refuses.
  if (statSync(file, { throwIfNoEntry: false })?.isFile() === false) return;
  const logBytes = sizeOf(`${file}-wal`);
  const bytes = sizeOf(file);
  if (bytes === 0 && logBytes > emptyLogBytes) {
    throw damagedFile(file, "it is missing or empty, but its log ledger.sqlite-wal holds commits");
  }
  if (bytes === 0) return requireNoRestore(file);
  const header = readHeader(file);
  if (header.length < headerBytes || header.toString("latin1", 0, headerText.length) !== headerText) {
    throw new StoreOpenError(
      `${file} is no SQLite database: name a file of this service or a new one. ` +
        "If it was one of this service, it is damaged: restore the latest backup (`ledger-server restore <backup>`)",
    );
  }
  const lacking = lackingBytes(header, bytes);
  if (lacking > 0 && logBytes <= emptyLogBytes)
    throw damagedFile(file, `${lacking} bytes of its end are missing`);
  if (logBytes > emptyLogBytes) requireWholeLog(file, pageBytesOf(header));
  requireMarkedLog(file);
  requireCurrentVersion(file, known);
}

/** Throws a `StoreOpenError` for a file of an older version, before anything writes to it: even its log stays as it is. */
export function requireCurrentVersion(file: string, known: Versions): void {
  const isAtRest = sizeOf(`${file}-wal`) === 0;
  const name = isAtRest ? `${pathToFileURL(file).href}?immutable=1` : file;
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(name, { readOnly: true });
    pendingMigrations(database, file, known);
  } catch (error) {
    // Damage is told by what comes after.
    if (error instanceof StoreOpenError) throw error;
  } finally {
    database?.close();
  }
}

/** A new database would hide that the one which a restore was to replace is aside. */
function requireNoRestore(file: string): void {
  const left = restoreRemains.flatMap((suffix) => filesBeside(file, suffix)).at(0);
  if (left === undefined) return;
  throw new StoreOpenError(
    `${file} does not exist, and ${left} is what an interrupted restore has left. Nothing was changed. Restore again: ` +
      "`ledger-server restore <backup>`; or move that to another folder, to begin with an empty database",
  );
}

function filesBeside(file: string, suffix: string): readonly string[] {
  const folder = dirname(file);
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => name.startsWith(`${basename(file)}${suffix}`));
  return names.map((name) => join(folder, name));
}

function requireWholeLog(file: string, pageBytes: number): void {
  const damage = damageInLog(file, pageBytes);
  if (damage === undefined) return;
  const { commits, wholeBytes, isMoved } = damage;
  const goingOn = isMoved
    ? "Do not cut the log off: the database holds later commits already, and what comes before the damage is older"
    : `To go on with what comes before the damage alone: truncate -s ${wholeBytes} ${file}-wal, ` +
      "then `ledger-server verify`: where it is not sound, only the backup helps";
  throw new StoreOpenError(
    `${file}-wal is damaged after ${wholeBytes} bytes, and ${commits === 0 ? "what follows" : `${commits} commits behind that`} would be lost. Nothing was ` +
      "changed. Keep a copy of the folder, then restore the latest backup: `ledger-server restore <backup>`. " +
      goingOn,
  );
}

/** Checks every page, index and row for what cannot be. Reads the whole file. Gives the first thing that is wrong. */
export function damageIn(database: DatabaseSync): string | undefined {
  try {
    const outcome = database.prepare("PRAGMA quick_check(1)").get();
    const said = String(Object.values(outcome ?? {})[0]);
    return said === "ok" ? undefined : said.replaceAll("\n", " ");
  } catch (error) {
    if (unavailableReasonOf(error) !== "damaged") throw error;
    return messageOf(error);
  }
}

/** Throws a `StoreOpenError` if the file lacks a table, an index or a column of this version, or has it otherwise. */
export function requireWholeSchema(database: DatabaseSync, file: string, schema: Schema): void {
  const texts = textsIn(database);
  if ([...schemaTexts(schema)].every(([name, sql]) => texts.get(name) === sql)) return;
  const found = describe(database);
  for (const [name, description] of describeNew(schema)) {
    if (found.get(name) === description) continue;
    throw damagedFile(file, `${name} ${found.has(name) ? "is not as this service made it" : "is missing"}`);
  }
}

function sizeOf(name: string): number {
  return statSync(name, { throwIfNoEntry: false })?.size ?? 0;
}

function readHeader(file: string): Buffer {
  const descriptor = openSync(file, "r");
  try {
    const header = Buffer.alloc(headerBytes);
    return header.subarray(0, readSync(descriptor, header, 0, headerBytes, 0));
  } finally {
    closeSync(descriptor);
  }
}

/** How much is missing of what the header says (sqlite.org/fileformat.html §1.3). */
function lackingBytes(header: Buffer, bytes: number): number {
  const isCounted = header.readUInt32BE(24) === header.readUInt32BE(92);
  return isCounted ? Math.max(0, header.readUInt32BE(28) * pageBytesOf(header) - bytes) : 0;
}

function pageBytesOf(header: Buffer): number {
  const written = header.readUInt16BE(16);
  return written === 1 ? 65_536 : written;
}

/** The check of a file that is too large to be checked before the store opens. */
export interface FileCheck {
  /** Whether readiness still waits for the outcome. */
  readonly isAwaited: boolean;
  close(): Promise<void>;
}

/** Above this a check takes minutes and much of the disk: `ledger-server verify` is for those, at a quiet hour. */
export const checkedBytesMax = 8 * 1024 ** 3;
/** Readiness waits for the check, but not longer than this. */
const awaitedMs = 10_000;

/** For the compiler, which strips the thread's types, and a connection. */
const heapLimits = { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 32 };

/** Checks the file beside the service. `onDamage` is called with the first thing that is wrong. */
export function startFileCheck(file: string, onDamage: (damage: string) => void): FileCheck {
  const beganAtMs = performance.now();
  let isRunning = true;
  const thread = startWorker<string, string | undefined, undefined>(
    new URL("file-check-thread.ts", import.meta.url),
    { data: undefined, limits: heapLimits, isInBackground: true },
  );
  void check();
  return {
    get isAwaited() {
      return isRunning && performance.now() - beganAtMs < awaitedMs;
    },
    close: thread.end,
  };

  async function check(): Promise<void> {
    try {
      const damage = await thread.ask(file);
      if (damage !== undefined) onDamage(damage);
    } catch {
      // A check that could not be made says nothing of the file: the next use reports the fault.
    }
    isRunning = false;
    await thread.end();
  }
}
