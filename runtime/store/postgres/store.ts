import { type Sealer, type Store, StoreBusyError, TooManyRowsError } from "../ports/index.ts";
import type { OpenStoreOptions, ReadOptions } from "../common/adapter.ts";
import { createHealth } from "../common/engine.ts";
import { createSealing } from "../common/sealing.ts";
import { createConflictLimiter, serializable } from "./engine/transactions.ts";
import { createConnections, type Connections, type Session } from "./connections.ts";
import type { ReadList } from "./engine/engine.ts";
import { createMarkers, type ListingMarks, type Reading } from "../sql/listing.ts";
import { pgDialect, type PgValue } from "./dialect.ts";
import { isLocked, isConflict } from "./errors.ts";
import { baseline } from "./schema.ts";
import type { Schema } from "../tables/schema.ts";
import { readConsistently } from "./reading/reading.ts";
import { createLookUp } from "./reading/lookup.ts";
import { verifyPostgres } from "./verify/verify.ts";

/** A write that changes nothing: a standby refuses it. */
const probeSql = `UPDATE migrations SET applied_at = applied_at WHERE number = ${baseline}`;
/** Connections that transactions leave to readers. */
const readersShare = 0.4;

export interface PostgresStoreOptions {
  readonly url: string;
  readonly schema: Schema;
  readonly connections: Connections;
  readonly sealer: Sealer | undefined;
  readonly options: Pick<OpenStoreOptions, "onHealth" | "reads" | "connections">;
}

/** The store in a PostgreSQL database, which other processes may have open, too. */
// oxlint-disable-next-line max-lines-per-function -- the port, each member over the same pools
export function postgresStore(given: PostgresStoreOptions): Store {
  const { url, schema, connections, sealer, options } = given;
  const sealing = createSealing(sealer);
  const readList = listReader(connections, options.reads, beside);
  // Of its own: who holds a connection never waits for another one of the same pool.
  const auditing = createConnections(url, { ...options.connections, poolSize: 1 });
  const lookUp = createLookUp(connections, schema.postgres?.lookups ?? [], sealing);
  const transactionsMax = Math.max(1, Math.floor(options.connections.poolSize * (1 - readersShare)));
  const limiter = createConflictLimiter(transactionsMax);
  const health = createHealth({ probe, onChange: options.onHealth ?? (() => undefined) });
  const underWay = new Set<Promise<unknown>>();
  let closed: Promise<void> | undefined;

  return {
    read: (work) =>
      tracked(() => readConsistently({ connections, lookUp, auditing, sealing, readList }, work)),
    write: (work, writeOptions) =>
      tracked(async () => {
        health.requireWritable();
        const value = await serializable({ connections, limiter, sealing, readList }, work, writeOptions);
        health.wrote();
        return value;
      }),
    verify: (verifyOptions) => tracked(() => verifyPostgres(url, schema, auditing, verifyOptions)),
    // Its failure is the health's own: reporting it again would delay the recovery with every request.
    ping: () => (closed === undefined ? health.probed() : Promise.reject(closedError())),
    health: health.now,
    close: () => (closed ??= close()),
  };

  function tracked<T>(work: () => Promise<T>): Promise<T> {
    if (closed !== undefined) return Promise.reject(closedError());
    const result = work();
    const ended = result.catch(noteFault).finally(() => underWay.delete(ended));
    underWay.add(ended);
    return result;
  }

  /** After the answer: what cannot be done now is done another time. */
  function beside(work: () => Promise<void>): void {
    if (closed !== undefined) return;
    const ended: Promise<unknown> = work()
      .catch(noteFault)
      .finally(() => underWay.delete(ended));
    underWay.add(ended);
  }

  /** Somebody's lock on some rows says nothing of all others: whether the database can be written, the probe finds out. */
  function noteFault(error: unknown): void {
    if (!isLocked(error)) health.failed(error);
  }

  async function probe(): Promise<void> {
    const session = await connections.session().catch(failed);
    let failure: unknown;
    try {
      await session.change(probeSql, []);
      health.wrote();
    } catch (error) {
      failure = error;
      failed(error);
    } finally {
      session.release(failure);
    }
  }

  function failed(error: unknown): never {
    health.failed(error);
    throw error;
  }

  async function close(): Promise<void> {
    health.close();
    await Promise.all(underWay);
    await connections.close();
    await auditing.close();
  }
}

/** Reads lists, and has marks made for one that a page far behind its first was read of. */
function listReader(
  connections: Connections,
  reads: ReadOptions,
  beside: (work: () => Promise<void>) => void,
): ReadList {
  const markerOf = createMarkers();
  return async (session, { name, steps, marks }, asked) => {
    const page = await runReading(session, steps(asked, pgDialect), reads);
    const place = marks.placeOf(asked, pgDialect);
    if (place === undefined) return page;
    const mark = (nowMs: number) => markAll(connections, marks, asked, nowMs - settledMs);
    beside(() => markerOf(name, marks.every).noteOffset(place.list, place.offset, mark));
    return page;
  };
}

function closedError(): Error {
  return new Error("the store is closed");
}

/** Marks made in one transaction: it meets those who write the list's records meanwhile. */
const markedAtOnce = 16;
const noLimits = { rowsMax: Infinity, timeMs: Infinity };

/** Younger records are not counted yet: others of about the same time may be on their way. */
const settledMs = 3_600_000;

/**
 * Marks a list in transactions of their own until there is nothing more to mark. Serializable: a record
 * that is written at the same time is either counted or removes the mark. Marks that meet other transactions are left
 * to the next time.
 */
export async function markAll<Asked>(
  connections: Connections,
  marks: ListingMarks<Asked>,
  asked: Asked,
  untilMs: number,
): Promise<void> {
  const session = await connections.session();
  const markSome = async (): Promise<boolean> => {
    const limits = { count: markedAtOnce, untilMs };
    const added = await runReading(session, marks.next(asked, limits, pgDialect), noLimits);
    for (const { sql, values } of added) await session.change(sql, values);
    return added.length === markedAtOnce;
  };
  let failure: unknown;
  try {
    while (await marked(session, markSome));
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    session.release(failure);
  }
}

async function marked(session: Session, markSome: () => Promise<boolean>): Promise<boolean> {
  await session.execute("BEGIN ISOLATION LEVEL SERIALIZABLE");
  try {
    const isMore = await markSome();
    await session.execute("COMMIT");
    return isMore;
  } catch (error) {
    await session.execute("ROLLBACK");
    if (isConflict(error)) return false;
    throw error;
  }
}

type ReadLimits = Pick<ReadOptions, "rowsMax" | "timeMs">;

/** Executes a reading step by step. Rejects with a `TooManyRowsError` or a `StoreBusyError`. */
async function runReading<T>(
  session: Session,
  reading: Reading<PgValue, T>,
  { rowsMax, timeMs }: ReadLimits,
): Promise<T> {
  const endsAt = performance.now() + timeMs;
  let rows = 0;
  let turn = reading.next();
  while (turn.done !== true) {
    const { sql, values, rowsRead, passing } = turn.value;
    if (rowsRead !== undefined && rows + rowsRead > rowsMax) throw new TooManyRowsError(rowsMax);
    if (performance.now() > endsAt) {
      throw new StoreBusyError(`the read took longer than ${timeMs} ms (reads.timeMs): ask again later`);
    }
    const found = await (passing === true ? session.rowsOnce(sql, values) : session.rows(sql, values));
    rows += rowsRead ?? found.length;
    turn = reading.next(found);
  }
  return turn.value;
}
