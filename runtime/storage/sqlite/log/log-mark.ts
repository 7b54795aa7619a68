import { closeSync, existsSync, fsyncSync, openSync, rmSync, statSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { StoreOpenError } from "../../common/store-open-error.ts";
import { sync } from "../files.ts";

/**
 * A file beside the database, there while its log holds commits. SQLite takes a database without a log for a whole one:
 * where the log is lost after a process was killed, this alone tells that commits are.
 */
export interface LogMark {
  /** The log holds commits. Where the disk has no room for the mark, the next commit tries again. */
  set(): void;
  /** The log is empty, or about to be. */
  clear(): void;
}

/** A log without a single commit is not larger. */
export const emptyLogBytes = 32;
const text = "The log ledger.sqlite-wal holds commits that are not in ledger.sqlite: they belong together.\n";

export function markFile(file: string): string {
  return `${file}.in-log`;
}

export function createLogMark(file: string): LogMark {
  const mark = markFile(file);
  let isSet = existsSync(mark);
  return {
    set() {
      if (isSet) return;
      try {
        write(mark);
        isSet = true;
      } catch {
        // The next commit does.
      }
    },
    clear() {
      if (isSet) rmSync(mark, { force: true });
      isSet = false;
    },
  };
}

/** To be called when a database was closed: the last that closes it moves the log into it. */
export function clearMarkWithoutLog(file: string): void {
  if (existsSync(markFile(file)) && !existsSync(`${file}-wal`)) rmSync(markFile(file), { force: true });
}

export function isLogEmpty(file: string): boolean {
  const { size = 0 } = statSync(`${file}-wal`, { throwIfNoEntry: false }) ?? {};
  return size <= emptyLogBytes;
}

/** Throws a `StoreOpenError` where the log held commits and is gone or empty. */
export function requireMarkedLog(file: string): void {
  // The mark is looked at last: a service that stops meanwhile removes it before it empties the log.
  if (!isLogEmpty(file) || !existsSync(markFile(file))) return;
  throw new StoreOpenError(
    `${file}-wal is missing or empty, but commits were in it that ${file} lacks. Nothing was changed. Put it back beside ` +
      "the database, or restore the latest backup: `ledger-server restore <backup>`. Only where another program, such as " +
      `sqlite3, has moved the log into the database since: remove ${markFile(file)}`,
  );
}

function write(mark: string): void {
  const descriptor = openSync(mark, "w", 0o600);
  try {
    writeSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  sync(dirname(mark));
}
