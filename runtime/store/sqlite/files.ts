import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  statSync,
  statfsSync,
  type Stats,
} from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { isLocked } from "./errors.ts";
import { StoreOpenError } from "../common/adapter.ts";
import { type Connection, logBytesKept } from "./connection.ts";
import { UnavailableError } from "../ports/index.ts";

const ownerOnlyFile = 0o600;
const ownerOnlyFolder = 0o700;

/**
 * Creates the file and its folder where they are missing, and leaves the file readable by its owner alone. SQLite
 * gives its side files the same mode.
 */
export function prepareFile(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: ownerOnlyFolder });
  if (!existsSync(file)) closeSync(openSync(file, "a", ownerOnlyFile));
  if ((statSync(file).mode & 0o777) !== ownerOnlyFile) chmodSync(file, ownerOnlyFile);
}

/** Makes what is in a file last, or what was created or renamed in a folder. */
export function sync(name: string): void {
  const descriptor = openSync(name, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Claims the right to write to a file for this process, until released or the process ends. It is a lock on a file
 * beside it, held by the operating system. Throws a `StoreOpenError` while another process has it.
 */
export function lockForWriting(file: string): () => void {
  prepareFile(`${file}.lock`);
  const lock = new DatabaseSync(`${file}.lock`);
  try {
    lock.exec("PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
  } catch (error) {
    lock.close();
    if (!isLocked(error)) throw error;
    throw new StoreOpenError(
      `${file} is in use by another process: stop it first, or give each process a data folder of its own`,
    );
  }
  return () => lock.close();
}

const leftOpen = new Set<Connection>();

/**
 * Keeps a connection open to the very end of the process. Closing the last connection to a file moves its log into it,
 * damage and all, and removes the log. Node closes connections at its end, unless the process is ended before.
 */
export function leaveOpen(connection: Connection): void {
  if (leftOpen.size === 0) process.once("exit", () => process.exit());
  leftOpen.add(connection);
}

/** A disk that was full has room again once so much of it is free: enough for the largest transaction and its log. */
export const roomBytes = 1_048_576;

/**
 * Room for the log until it starts over, and for the database that it is moved to. With less on its disk the service starts
 * the log over early. A copy leaves the service so much.
 */
export const spareBytes = 16 * roomBytes;

/** Bytes that the disk of a file has left. One that does not say is believed to have room: writes show it. */
export function freeBytesAt(path: string): number {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  } catch {
    return Infinity;
  }
}

export type FreeBytes = typeof freeBytesAt;

/**
 * Gives a check for a copy that still needs `bytesLeft`: it throws an `UnavailableError` if the copy would fill its disk. If
 * the database is on the same disk, the copy leaves it `spareBytes`.
 */
export function roomFor(part: string, database: string, freeBytes: FreeBytes): (bytesLeft: number) => void {
  const isBesideIt = statSync(dirname(part)).dev === statSync(dirname(database)).dev;
  const keptBytes = isBesideIt ? spareBytes : 0;
  return (bytesLeft) => {
    const free = freeBytes(part);
    if (free - keptBytes >= bytesLeft) return;
    const service = isBesideIt ? `, of which the service needs ${mebibytes(keptBytes)} for its log` : "";
    const message = `the disk would get full: ${mebibytes(bytesLeft)} are still to be copied, and ${dirname(part)} has ${mebibytes(free)} free`;
    throw new UnavailableError("disk-full", { message: message + service });
  };
}

function mebibytes(bytes: number): string {
  return `${(bytes / 1_048_576).toFixed(1)} MiB`;
}

/** Watches that the database, its log and the log's index are still the files that were opened, and are whole. */
interface SameFiles {
  /**
   * Throws an `UnavailableError` once one was removed, replaced or cut off: what is written to such a file would be
   * acknowledged and lost. Without an index that all connections share, one moves what others still read.
   */
  require(): void;
  /** A commit has grown the log: it must not be shorter from now on. */
  wrote(): void;
  /** Whether the database itself is the file that was opened. */
  isDatabaseSame(): boolean;
  /** The log is about to be emptied by this process. */
  logMayShrink(): void;
}

/** `onLogCut` is called before `require` throws because of that. */
export function createSameFiles(file: string, onLogCut: () => void): SameFiles {
  const log = `${file}-wal`;
  const opened = new Map<string, Stats>();
  const bytesMin = new Map<string, number>();

  function requireSame(name: string): Stats | undefined {
    const now = statusOf(name);
    const before = opened.get(name);
    if (before === undefined) {
      if (now !== undefined) opened.set(name, now);
    } else if (now?.ino !== before.ino || now.dev !== before.dev) {
      throw new UnavailableError("file-replaced", { cause: new Error(`${name} is not the file it was`) });
    }
    return now;
  }

  /** SQLite cuts its log to a size that it keeps, and the database never. */
  function requireWhole(name: string, size: number, bytesKept: number): void {
    if (size < (bytesMin.get(name) ?? 0)) {
      if (name === log) onLogCut();
      throw new UnavailableError("damaged", { cause: new Error(`${name} was cut off by another program`) });
    }
    bytesMin.set(name, Math.min(size, bytesKept));
  }

  return {
    require() {
      const [database, written] = [requireSame(file), requireSame(log)];
      requireSame(`${file}-shm`);
      requireWhole(file, database?.size ?? 0, Infinity);
      requireWhole(log, written?.size ?? 0, logBytesKept);
    },
    wrote() {
      const size = sizeOrNone(log);
      bytesMin.set(log, Math.max(bytesMin.get(log) ?? 0, Math.min(size, logBytesKept)));
    },
    isDatabaseSame() {
      try {
        requireSame(file);
        return true;
      } catch {
        return false;
      }
    },
    logMayShrink: () => void bytesMin.delete(log),
  };
}

function sizeOrNone(name: string): number {
  try {
    return statSync(name, { throwIfNoEntry: false })?.size ?? 0;
  } catch {
    return 0;
  }
}

function statusOf(name: string): Stats | undefined {
  try {
    return statSync(name, { throwIfNoEntry: false });
  } catch (cause) {
    throw new UnavailableError("disk-fault", { cause });
  }
}
