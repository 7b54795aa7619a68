import { statSync, type Stats } from "node:fs";
import { UnavailableError } from "../ports/index.ts";
import { logBytesKept } from "./connection.ts";

/** Watches that the database, its log and the log's index are still the files that were opened, and are whole. */
export interface SameFiles {
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
