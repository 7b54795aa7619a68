import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { StoreOpenError } from "../../common/adapter.ts";
import { sync } from "../files.ts";

/**
 * A file beside the database, there while its log holds commits. SQLite takes a database without a log for a whole
 * one. If the log is lost after a kill, only this mark tells that commits are lost.
 */
export interface LogMark {
  /** The log holds commits. Where the disk has no room for the mark, the next commit tries again. */
  set(): void;
  /** The log is empty, or about to be. */
  clear(): void;
  /** The log lost commits that were acknowledged, which nothing else may show. `how` goes on a sentence on it. */
  lost(how: string): void;
}

/** A log without a single commit is not larger. */
export const emptyLogBytes = 32;
const heldText =
  "The log ledger.sqlite-wal holds commits that are not in ledger.sqlite: they belong together.\n";

const lostText = "The log ledger.sqlite-wal lost what was acknowledged last: it ";

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
        write(mark, heldText);
        isSet = true;
      } catch {
        // The next commit does.
      }
    },
    clear() {
      if (isSet) rmSync(mark, { force: true });
      isSet = false;
    },
    lost(how) {
      try {
        write(mark, `${lostText}${how}`);
      } catch {
        // Nothing is acknowledged any more either way.
      }
    },
  };
}

/** To be called when a database was closed: the last that closes it moves the log into it. */
export function clearMarkWithoutLog(file: string): void {
  if (existsSync(markFile(file)) && !existsSync(`${file}-wal`) && lossMarked(file) === undefined)
    rmSync(markFile(file), { force: true });
}

export function isLogEmpty(file: string): boolean {
  const { size = 0 } = statSync(`${file}-wal`, { throwIfNoEntry: false }) ?? {};
  return size <= emptyLogBytes;
}

/** How the log lost commits, where the service saw that. */
function lossMarked(file: string): string | undefined {
  try {
    const text = readFileSync(markFile(file), "utf8");
    return text.startsWith(lostText) ? text.slice(lostText.length) : undefined;
  } catch {
    return undefined;
  }
}

/** Throws a `StoreOpenError` where the log held commits and is gone or empty, or where the service saw that it lost some. */
export function requireMarkedLog(file: string): void {
  const how = lossMarked(file);
  if (how !== undefined) {
    throw new StoreOpenError(
      `${file}-wal ${how}: what was acknowledged last is lost. Nothing was changed. Restore the latest backup: ` +
        "`ledger-server restore <backup>`. To go on with what is left, after you have compared it with a root that you " +
        `kept elsewhere: remove ${markFile(file)}`,
    );
  }
  // The mark is looked at last: a service that stops meanwhile removes it before it empties the log.
  if (!isLogEmpty(file) || !existsSync(markFile(file))) return;
  throw new StoreOpenError(
    `${file}-wal is missing or empty, but commits were in it that ${file} lacks. Nothing was changed. Put it back beside ` +
      "the database, or restore the latest backup: `ledger-server restore <backup>`. Only where another program, such as " +
      `sqlite3, has moved the log into the database since: remove ${markFile(file)}`,
  );
}

function write(mark: string, text: string): void {
  const descriptor = openSync(mark, "w", 0o600);
  try {
    writeSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  sync(dirname(mark));
}
