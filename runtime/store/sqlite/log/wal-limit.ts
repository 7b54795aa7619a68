import { statSync } from "node:fs";
import type { Connection } from "../connection.ts";
import { unavailableReasonOf } from "../errors.ts";
import type { Readers } from "../reading/readers.ts";
import { freeBytesAt, roomBytes, spareBytes, type FreeBytes } from "../files.ts";
import type { Snapshots } from "../engine/snapshots.ts";
import { workerOnDemand } from "../../../platform/worker.ts";

/** Log size from which writers wait until it starts over, and how long they wait for readers at most. */
export const logBytesMax = 32 * 1024 * 1024;
const pauseMsMax = 50;

/** The log is moved to the file each time it has grown by this: what changes often is moved seldom. */
export const logBytesMoved = 8 * 1024 * 1024;

/** The size is looked at once in so many commits. */
const commitsBetweenLooks = 16;

/**
 * Keeps the write-ahead log from growing without end. It is moved to the file while readers and writers go on. SQLite
 * starts it over, and cuts it, only when all of it is in the file and no reader needs it. That never happens while
 * readers overlap or writers keep writing. So when it has grown large, writers pause three times: until the readers
 * of earlier commits are done, until the rest is moved, and until readers begun before that are done. Readers never
 * wait, but for those on threads, who begin nothing meanwhile. If they take too long, the log grows by half before
 * the next attempt, and by 32 MiB at most. A disk that is short of room, or a commit that the disk refused, ends the
 * wait: the log may be what takes the room.
 *
 * Call the result between two commits, with the reason why the one before was lost, if it was.
 */
// oxlint-disable-next-line max-lines-per-function -- every step changes what is known of one log
export function createWalLimit(options: {
  readonly file: string;
  readonly connection: Connection;
  readonly checkpointer: Checkpointer;
  readonly snapshots: Snapshots;
  /** Threads that read; absent: there are none. */
  readonly readers?: Pick<Readers, "hold" | "release">;
  /** Called before the log may be emptied. */
  readonly beforeStartOver?: () => void;
  readonly freeBytes?: FreeBytes;
}): (lostTo?: unknown) => Promise<void> | undefined {
  const { file, connection, checkpointer, snapshots, readers, freeBytes = freeBytesAt } = options;
  let commits = 0;
  let limitBytes = logBytesMax;
  /** The log's size when it was last moved. */
  let movedBytes = 0;
  let seenBytes = 0;
  /** The log's size when it was last tried to start it over for want of room. */
  let triedBytes = 0;
  let isMoving = false;
  let isRefused = false;

  return (lostTo) => {
    const reason = lostTo === undefined ? undefined : unavailableReasonOf(lostTo);
    // The log of a damaged or replaced file is left to whoever restores it.
    if (reason === "damaged" || reason === "file-replaced") return undefined;
    const wasRefused = isRefused;
    isRefused = reason === "disk-full" || reason === "disk-fault";
    // Of refusals in a row the first is enough: what did not help will not help the next.
    const isNewlyRefused = isRefused && !wasRefused;
    commits = isNewlyRefused ? 0 : commits + 1;
    if (commits % commitsBetweenLooks !== 0) return undefined;
    const size = sizeOf(`${file}-wal`);
    if (size < movedBytes) startedOver();
    if (isWorthMoving(size) && !isMoving) void moveMeanwhile(size);
    const isShort = isShortOfRoom(size) || (isNewlyRefused && size > roomBytes);
    seenBytes = size;
    // A disk that is slower than the writers makes them wait, too.
    const isLate = size > limitBytes + logBytesMoved;
    if (!isShort && (size <= limitBytes || (!isLate && isMoving))) return undefined;
    // Threads read for longer than writers can wait: writers go on until the threads are done.
    if (readers?.hold() === false) {
      // They are held for a moment only: the next commit looks again.
      commits = commitsBetweenLooks - 1;
      isRefused = false;
      return undefined;
    }
    return startOver(size).finally(() => readers?.release());
  };

  /** A log that has grown and no longer does may lack space: commits go on once it can start over. */
  function isWorthMoving(size: number): boolean {
    const isStuck = size === seenBytes;
    return size > (isStuck ? logBytesMoved : movedBytes + logBytesMoved);
  }

  /** A log that takes the last room of its disk could not even be moved: the database grows by that. */
  function isShortOfRoom(size: number): boolean {
    if (size < triedBytes) triedBytes = 0;
    const isWorthTrying = size > roomBytes && (size > triedBytes + roomBytes || size === seenBytes);
    if (!isWorthTrying || freeBytes(file) >= spareBytes) return false;
    triedBytes = size;
    return true;
  }

  function startedOver(): void {
    movedBytes = 0;
    limitBytes = logBytesMax;
  }

  async function moveMeanwhile(size: number): Promise<void> {
    isMoving = true;
    movedBytes = size;
    await checkpointer.checkpoint("PASSIVE");
    isMoving = false;
  }

  async function startOver(size: number): Promise<void> {
    options.beforeStartOver?.();
    limitBytes = Math.max(limitBytes, size + Math.min(size / 2, logBytesMax));
    const beganAt = performance.now();
    if (!(await snapshots.renewed(pauseMsMax))) return;
    const leftMs = Math.max(0, pauseMsMax - (performance.now() - beganAt));
    if ((await checkpointer.checkpoint("TRUNCATE")) !== "not-all-moved") return;
    // Readers began before all was moved, or the thread failed: then this moves it, and the next commit starts over.
    const again = await checkpointer.checkpoint("PASSIVE");
    if (again === "not-all-moved" && !checkpoint(connection, "PASSIVE")) return;
    if (await snapshots.renewed(leftMs)) await checkpointer.checkpoint("TRUNCATE");
  }
}

/** A folder that cannot be looked into is no reason to stop: the next commit says what is wrong with it. */
function sizeOf(log: string): number {
  try {
    return statSync(log, { throwIfNoEntry: false })?.size ?? 0;
  } catch {
    return 0;
  }
}

/** Checkpoints the write-ahead log on a thread of its own. */
export interface Checkpointer {
  /** As `checkpoint`. Gives `not-all-moved` where the thread was lost, too; never rejects. */
  checkpoint(mode: CheckpointMode): Promise<CheckpointOutcome>;
  /** Resolves once no checkpoint runs any more. Checkpoints that have not begun are given up. */
  close(): Promise<void>;
}

/** Input of the thread. */
export interface CheckpointerSettings {
  readonly file: string;
}

export type CheckpointOutcome = "all-moved" | "not-all-moved";

/** For the compiler, which strips the thread's types, and a connection; nothing grows there. */
const limits = { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 32 };

/** Waiting for the disk is left to a thread, which is started when it is first needed and again if it was lost. */
export function createCheckpointer(file: string): Checkpointer {
  const thread = workerOnDemand<CheckpointMode, CheckpointOutcome, CheckpointerSettings>(
    new URL("checkpointer-thread.ts", import.meta.url),
    { data: { file }, limits },
  );
  return {
    // Why it failed, if it did, the next commit says.
    checkpoint: (mode) => thread.ask(mode).catch(() => "not-all-moved"),
    close: thread.end,
  };
}

/**
 * `PASSIVE` moves what readers allow to move, without waiting. `TRUNCATE` also starts the log over, empty, if no
 * reader needs it; writers cannot begin meanwhile.
 */
export type CheckpointMode = "PASSIVE" | "TRUNCATE";

/**
 * Moves what the log holds to the file. Gives whether all of it is there, and with `TRUNCATE` whether the log is empty.
 * A fault of the disk is left to the next commit to report.
 */
export function checkpoint(connection: Connection, mode: CheckpointMode): boolean {
  try {
    const [row] = connection.rows(`PRAGMA wal_checkpoint(${mode})`, []);
    const [isBlocked, frames, moved] = row ?? [];
    return isBlocked === 0n && frames === moved;
  } catch {
    return false;
  }
}
