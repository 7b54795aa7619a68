import type { Sealer, Store } from "../ports/index.ts";
import type { OpenStoreOptions, ReadOptions } from "../common/adapter.ts";
import { createHealth } from "../common/engine.ts";
import { createSealing } from "../common/sealing.ts";
import { createConflictLimiter, serializable } from "./engine/transactions.ts";
import { createConnections, type Connections } from "./connections.ts";
import type { ReadList } from "./engine/engine.ts";
import { createMarkers } from "../sql/listing.ts";
import { pgDialect } from "./dialect.ts";
import { runReading, markAll, settledMs } from "./listing.ts";
import { isLocked } from "./errors.ts";
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
