import { statSync } from "node:fs";
import { UnavailableError, type Sealer, type Store } from "../ports/index.ts";
import type { HealthListener, ReadOptions } from "../common/adapter.ts";
import type { Schema } from "../tables/schema.ts";
import { createSealing } from "../common/sealing.ts";
import { withTransaction, createHealth, type Health } from "../common/engine.ts";
import {
  createGroupCommit,
  lockMayBeFree,
  lockWaitMsDefault,
  type GroupCommit,
} from "./engine/group-commit.ts";
import {
  checkedAtOpenBytesMax,
  checkedBytesMax,
  startFileCheck,
  type FileCheck,
} from "./file-check/check-file.ts";
import { openConnection, type Connection, sqliteDialect } from "./connection.ts";
import { writeEngine } from "./engine/engine.ts";
import { createWalLimit, checkpoint, createCheckpointer } from "./log/wal-limit.ts";
import { unavailableReasonOf } from "./errors.ts";
import { damageInLog } from "./log/check-log.ts";
import { clearMarkWithoutLog, createLogMark, isLogEmpty } from "./log/log-mark.ts";
import { leaveOpen, freeBytesAt, roomBytes, createSameFiles } from "./files.ts";
import { createReaders, type Readers } from "./reading/readers.ts";
import { createSnapshots, type Snapshots } from "./engine/snapshots.ts";
import { verifySqliteFile } from "./verify.ts";
import { createMarkers, type Listing } from "../sql/listing.ts";
import { runRead } from "./reading/reader-tasks.ts";

/**
 * A write that changes nothing: it needs the disk as any other does. SQLite leaves out the write of a row that stays as
 * it is, but not that of this number, which nothing else uses.
 */
const probeSql = "PRAGMA user_version = 0";

/** How long readers of earlier commits are waited for before a lost log is moved. */
const readersWaitMs = 1_000;

interface WriterOptions {
  /** Called once it is closed. */
  readonly unlock: () => void;
  readonly onHealth: HealthListener;
  readonly sealer: Sealer | undefined;
  readonly reads: ReadOptions;
  readonly lockWaitMs?: number;
}

/** The store over a file that this process alone writes to. */
// oxlint-disable-next-line max-lines-per-function -- the port, each member over the same connections
export function writerStore(file: string, schema: Schema, options: WriterOptions): Store {
  const { unlock, onHealth, sealer, reads, ...waiting } = options;
  const connection = openConnection(file, { readOnly: false });
  const sealing = createSealing(sealer);
  const engine = writeEngine(connection, sealing);
  const readers = createReaders(file, reads);
  const listing: Readers = {
    ...readers,
    list: async (list, asked) => {
      const page = await readers.list(list, asked);
      // After the answer: marks that cannot be made now are made another time.
      markList(list, asked).catch(() => undefined);
      return page;
    },
  };
  const snapshots = createSnapshots({
    open: () => reader(file),
    sealing,
    isOnlyWriter: true,
    readers: listing,
  });
  const mark = createLogMark(file);
  const checkpointer = createCheckpointer(file);
  const sameFiles = createSameFiles(file, () =>
    mark.lost("was cut off by another program while the service wrote to it"),
  );
  const health: Health = createHealth({
    probe,
    hasRoom: () => freeBytesAt(file) >= roomBytes,
    onChange: onHealth,
  });
  /** A commit that changed no rows needs no disk, and shows nothing of it. */
  let changedRows = 0;
  const groups = createGroupCommit({
    ...waiting,
    connection,
    betweenCommits: createWalLimit({ file, connection, checkpointer, snapshots, readers, beforeStartOver }),
    beforeCommit: () => {
      snapshots.beforeCommit();
      health.requireWritable();
      sameFiles.require();
    },
    afterCommit: () => {
      snapshots.afterCommit();
      if (connection.changedRows === changedRows) return;
      changedRows = connection.changedRows;
      mark.set();
      sameFiles.wrote();
      health.wrote();
    },
    beforeBegin: health.requireWritable,
    onLost: (error) => {
      health.failed(error);
      if (unavailableReasonOf(error) === "file-replaced") saving ??= saveLog();
    },
  });
  const markList = createListMarking(connection, groups);
  sameFiles.require();
  const check = checkBeside(file, health);

  let saving: Promise<void> | undefined;
  let closed: Promise<void> | undefined;
  return {
    ...reading(file, schema, snapshots, health),
    write: (work, options) => groups.transact(() => withTransaction(engine, work), options),
    ping: async () => {
      await health.probed();
      if (check?.isAwaited === true) throw new UnavailableError("checking");
      await snapshots.read(pinged);
    },
    close: () => (closed ??= close()),
  };

  async function probe(): Promise<void> {
    await groups.transact(async () => connection.execute(probeSql));
    health.wrote();
  }

  /**
   * Moves the write-ahead log into the file, so that the file alone is the whole store. Where the disk refuses, the
   * log is kept and the next start does it. A file that must not be written to is not closed, but left to the end of
   * the process. Closing it would write to it and remove its log.
   */
  async function close(): Promise<void> {
    health.close();
    await saving;
    await check?.close();
    await groups.close();
    await checkpointer.close();
    await snapshots.close();
    await readers.close();
    if (isLeftAlone()) return leave();
    try {
      requireWholeLog();
      mark.clear();
      await emptyLog();
    } catch (error) {
      health.failed(error);
      if (isLeftAlone()) return leave();
    }
    if (!isLogEmpty(file)) mark.set();
    connection.close();
    clearMarkWithoutLog(file);
    unlock();
  }

  /** Another program that has the database open may be done in a moment. */
  async function emptyLog(): Promise<void> {
    const untilMs = performance.now() + (options.lockWaitMs ?? lockWaitMsDefault);
    while (isEmptyingBlocked() && performance.now() < untilMs) await lockMayBeFree();
  }

  function isEmptyingBlocked(): boolean {
    return connection.row("PRAGMA wal_checkpoint(TRUNCATE)", [])?.[0] === 1n;
  }

  /** A damaged log is left to whoever restores it: nothing of it becomes pages of the database. */
  function requireWholeLog(): void {
    const pageBytes = Number(connection.row("PRAGMA page_size", [])?.[0]);
    if (damageInLog(file, pageBytes) === undefined) return;
    mark.lost("was damaged when the service stopped");
    throw new UnavailableError("damaged", { cause: new Error(`${file}-wal is damaged`) });
  }

  /** The log that is open here is empty for a moment: a start that finds it so has lost nothing. */
  function beforeStartOver(): void {
    mark.clear();
    sameFiles.logMayShrink();
  }

  /**
   * Moves the open log into the database, if the log was removed or replaced and the database is still there. The
   * next start then has all that was acknowledged, even after a kill.
   */
  async function saveLog(): Promise<void> {
    await snapshots.renewed(readersWaitMs);
    if (sameFiles.isDatabaseSame() && checkpoint(connection, "PASSIVE")) mark.clear();
  }

  async function leave(): Promise<void> {
    const state = health.now();
    if (state.kind === "failing" && state.reason === "file-replaced") await saveLog();
    leaveOpen(connection);
    unlock();
  }

  function isLeftAlone(): boolean {
    try {
      health.requireWritable();
      sameFiles.require();
      return false;
    } catch {
      return true;
    }
  }
}

/** Checks a file that was too large to be checked at once. */
function checkBeside(file: string, health: Health): FileCheck | undefined {
  const { size } = statSync(file);
  if (size <= checkedAtOpenBytesMax || size > checkedBytesMax) return undefined;
  return startFileCheck(file, (damage) => {
    health.failed(new UnavailableError("damaged", { cause: new Error(damage) }));
  });
}

/** The store over a file that another process may be writing to. */
export function readerStore(file: string, schema: Schema, sealer?: Sealer): Store {
  const sealing = createSealing(sealer);
  const snapshots = createSnapshots({ open: () => reader(file), sealing, isOnlyWriter: false });
  const health = createHealth({ probe: () => Promise.resolve(), onChange: () => undefined });
  let closed: Promise<void> | undefined;
  return {
    ...reading(file, schema, snapshots, health),
    write: () => Promise.reject(new Error("the store is open for reading only")),
    ping: () => snapshots.read(pinged),
    close: () => (closed ??= snapshots.close().finally(health.close)),
  };
}

function reading(
  file: string,
  schema: Schema,
  snapshots: Snapshots,
  health: Health,
): Pick<Store, "read" | "verify" | "health"> {
  return {
    read: async (work) => {
      health.requireReadable();
      try {
        return await snapshots.read(work);
      } catch (error) {
        health.failed(error);
        throw error;
      }
    },
    verify: async (options) => verifySqliteFile(file, schema, options),
    health: health.now,
  };
}

async function pinged(_view: unknown, connection: Connection): Promise<void> {
  connection.row("SELECT max(number) FROM migrations", []);
}

function reader(file: string): Connection {
  return openConnection(file, { readOnly: true });
}

/** Marks made in one transaction, which others wait for: a millisecond or two. */
const markedAtOnce = 2;

/** Has a list marked where a page far behind its first was read. */
function createListMarking(
  connection: Connection,
  { transact }: Pick<GroupCommit, "transact">,
): <Asked, R>(listing: Listing<Asked, R>, asked: Asked) => Promise<void> {
  const markerOf = createMarkers();
  return async ({ name, marks }, asked) => {
    const place = marks.placeOf(asked, sqliteDialect);
    if (place === undefined) return;
    const limits = { count: markedAtOnce, untilMs: Infinity };
    const markSome = async (): Promise<boolean> => {
      const added = runRead(connection, marks.next(asked, limits, sqliteDialect), Infinity);
      for (const { sql, values } of added) connection.change(sql, values);
      return added.length === markedAtOnce;
    };
    await markerOf(name, marks.every).noteOffset(place.list, place.offset, async () => {
      while (await transact(markSome, { isRepeatable: true }));
    });
  };
}
