import type { AccountQuery, Sealer, Store, TransactionQuery } from "../../ports/index.ts";
import type { OpenStoreOptions, ReadOptions } from "../common/adapter.ts";
import { createHealth } from "../common/health.ts";
import { createSealing } from "../common/sealing.ts";
import { createMarker } from "../common/marker.ts";
import { markedEvery as transactionsMarkedEvery } from "../sql/listing/transaction-marks.ts";
import { markAccounts, markedEvery as accountsMarkedEvery } from "./engine/account-marks.ts";
import { createConflictLimiter } from "./engine/conflict-limiter.ts";
import { createConnections, type Connections } from "./connections.ts";
import type { Delegates } from "./engine/engine.ts";
import { settledMs } from "./engine/mark-all.ts";
import { markTransactions } from "./engine/transaction-marks.ts";
import { createAccountBatch } from "../../../ledger/books/postgres/account-batch.ts";
import { accountLookupSql } from "../../../ledger/books/postgres/account-lookup.ts";
import { isLocked } from "./errors.ts";
import { versions } from "./migrations.ts";
import { listAccounts, listTransactions } from "./reading/listing.ts";
import { readConsistently } from "./reading/reading.ts";
import { createSharedSession } from "./reading/shared-session.ts";
import { serializable } from "./engine/transactions.ts";
import { verifyPostgres } from "./verify/verify.ts";

/** A write that changes nothing: a standby refuses it. */
const probeSql = `UPDATE migrations SET applied_at = applied_at WHERE number = ${versions.baseline}`;
/** Connections that transactions leave to readers. */
const readersShare = 0.4;

export interface PostgresStoreOptions {
  readonly url: string;
  readonly connections: Connections;
  readonly sealer: Sealer | undefined;
  readonly options: Pick<OpenStoreOptions, "onHealth" | "reads" | "connections">;
}

/** The store in a PostgreSQL database, which other processes may have open, too. */
// oxlint-disable-next-line max-lines-per-function -- the port, each member over the same pools
export function postgresStore(given: PostgresStoreOptions): Store {
  const { url, connections, sealer, options } = given;
  const sealing = createSealing(sealer);
  const delegates = delegatesOf(options.reads, createMarking(connections, beside));
  // Of its own: who holds a connection never waits for another one of the same pool.
  const auditing = createConnections(url, { ...options.connections, poolSize: 1 });
  const batch = createAccountBatch(createSharedSession(connections), accountLookupSql);
  const transactionsMax = Math.max(1, Math.floor(options.connections.poolSize * (1 - readersShare)));
  const limiter = createConflictLimiter(transactionsMax);
  const health = createHealth({ probe, onChange: options.onHealth ?? (() => undefined) });
  const underWay = new Set<Promise<unknown>>();
  let closed: Promise<void> | undefined;

  return {
    read: (work) =>
      tracked(() => readConsistently({ connections, batch, auditing, sealing, delegates }, work)),
    write: (work, writeOptions) =>
      tracked(async () => {
        health.requireWritable();
        const value = await serializable({ connections, limiter, sealing, delegates }, work, writeOptions);
        health.wrote();
        return value;
      }),
    verify: (verifyOptions) => tracked(() => verifyPostgres(url, auditing, verifyOptions)),
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

interface Marking {
  ofAccounts(query: AccountQuery): void;
  ofTransactions(query: TransactionQuery): void;
}

/** Has marks made for the list that a page was read of, where it is all of an institution or of an account. */
function createMarking(connections: Connections, beside: (work: () => Promise<void>) => void): Marking {
  const ofAccounts = createMarker(accountsMarkedEvery);
  const ofTransactions = createMarker(transactionsMarkedEvery);
  return {
    ofAccounts: ({ institutionId, offset, condition, customerIds }) => {
      if (condition !== undefined || customerIds !== undefined) return;
      const mark = (nowMs: number) => markAccounts(connections, institutionId, nowMs - settledMs);
      beside(() => ofAccounts.noteOffset(institutionId, offset, mark));
    },
    ofTransactions: ({ institutionId, accountId, offset, customerIds }) => {
      if (customerIds !== undefined) return;
      const account = { institutionId, accountId };
      const mark = (nowMs: number) => markTransactions(connections, account, nowMs - settledMs);
      beside(() => ofTransactions.noteOffset(JSON.stringify(account), offset, mark));
    },
  };
}

function delegatesOf(reads: ReadOptions, marking: Marking): Delegates {
  return {
    listAccounts: async (session, query) => {
      const page = await listAccounts(session, query, reads);
      marking.ofAccounts(query);
      return page;
    },
    listTransactions: async (session, query) => {
      const page = await listTransactions(session, query, reads);
      marking.ofTransactions(query);
      return page;
    },
  };
}

function closedError(): Error {
  return new Error("the store is closed");
}
