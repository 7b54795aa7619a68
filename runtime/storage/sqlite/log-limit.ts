import { statSync } from "node:fs";
import type { Connection } from "./connection.ts";
import type { Snapshots } from "./snapshots.ts";

/** Log size from which writers wait for readers, and how long they wait at most. */
export const logBytesMax = 32 * 1024 * 1024;
const pauseMsMax = 50;

/** The size is looked at once in so many commits. */
const commitsBetweenLooks = 16;

/**
 * Keeps the write-ahead log from growing without end. SQLite starts it over only when all of it is in the file and no
 * reader needs it, which never happens while readers overlap and writers keep writing. So where it has grown large,
 * writers pause: until the readers of earlier commits are done, then, with the log moved to the file, until those
 * begun before that are. Readers never wait. If they take too long, the log grows by half before the next attempt.
 *
 * The result is called between two commits.
 */
export function createLogLimit(options: {
  readonly file: string;
  readonly connection: Connection;
  readonly snapshots: Snapshots;
}): () => Promise<void> | undefined {
  const { file, connection, snapshots } = options;
  let commits = 0;
  let limitBytes = logBytesMax;

  return () => {
    commits += 1;
    if (commits % commitsBetweenLooks !== 0) return undefined;
    const size = statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
    return size > limitBytes ? startOver(size) : undefined;
  };

  async function startOver(size: number): Promise<void> {
    const deadline = performance.now() + pauseMsMax;
    limitBytes = size * 1.5;
    if (!(await snapshots.renewed(deadline - performance.now()))) return;
    if (!isMoved()) return;
    if (await snapshots.renewed(deadline - performance.now())) limitBytes = logBytesMax;
  }

  /** Whether all of the log could be moved to the file. A fault of the disk is left to the next commit to report. */
  function isMoved(): boolean {
    try {
      const [row] = connection.rows("PRAGMA wal_checkpoint(PASSIVE)", []);
      const [isBlocked, frames, moved] = row ?? [];
      return isBlocked === 0n && frames === moved;
    } catch {
      return false;
    }
  }
}
