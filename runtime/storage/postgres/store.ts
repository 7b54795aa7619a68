import type { AccountQuery, Sealer, Store } from "../../ports/index.ts";
import type { OpenStoreOptions, ReadOptions } from "../common/adapter.ts";
import { createHealth } from "../common/health.ts";
import { createSealing } from "../common/sealing.ts";
import { createAccountMarker } from "./engine/account-marks.ts";
import { createConflictLimiter } from "./engine/conflict-limiter.ts";
import { createConnections, type Connections } from "./connections.ts";
import type { Delegates } from "./engine/engine.ts";
import { fenceWrite } from "./reading/fences.ts";
import { listAccounts, listTransactions } from "./reading/listing.ts";
import { readConsistently } from "./reading/reading.ts";
import { createSharedSession } from "./reading/shared-session.ts";
import { serializable } from "./engine/transactions.ts";
import { verifyPostgres } from "./verify/verify.ts";

/** A write that changes nothing: a standby refuses it. */
const probeSql = "UPDATE migrations SET applied_at = applied_at WHERE number = 1";
/** Connections that transactions leave to readers. */
const readersShare = 0.4;

export interface PostgresStoreOptions {
  readonly url: string;
  readonly connections: Connections;
  readonly sealer: Sealer | undefined;
  /** Whether institutions may be in other databases, too. */
  readonly isOneOfSeveral?: boolean;
  readonly options: Pick<OpenStoreOptions, "onHealth" | "reads" | "connections">;
}

/** The store in a PostgreSQL database, which other processes may have open, too. */
// oxlint-disable-next-line max-lines-per-function -- the port, each member over the same pools
export function postgresStore(given: PostgresStoreOptions): Store {
  const { url, connections, sealer, options, isOneOfSeveral = false } = given;
  const sealing = createSealing(sealer);
  const marker = createAccountMarker(connections);
  const delegates = delegatesOf(options.reads, noteOffset);
  // Of its own: who holds a connection never waits for another one of the same pool.
  const auditing = createConnections(url, { ...options.connections, poolSize: 1 });
  const shared = createSharedSession(connections);
  const transactionsMax = Math.max(1, Math.floor(options.connections.poolSize * (1 - readersShare)));
  const limiter = createConflictLimiter(transactionsMax);
  const health = createHealth({ probe, onChange: options.onHealth ?? (() => undefined) });
  const underWay = new Set<Promise<unknown>>();
  let closed: Promise<void> | undefined;

  return {
    read: (work, about) =>
      tracked(() =>
        readConsistently({ connections, shared, auditing, sealing, delegates, isOneOfSeveral }, work, about),
      ),
    transact: (work, transactOptions) =>
      tracked(async () => {
        health.requireWritable();
        const value = await serializable(
          { connections, limiter, sealing, delegates, ...(isOneOfSeveral && { fence: fenceWrite }) },
          work,
          transactOptions,
        );
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
    const ended = result
      .catch((error: unknown) => health.failed(error))
      .finally(() => underWay.delete(ended));
    underWay.add(ended);
    return result;
  }

  /** After the answer, beside it: marks that cannot be made now are made another time. */
  function noteOffset({ institutionId, offset }: AccountQuery): void {
    if (closed !== undefined) return;
    const ended: Promise<unknown> = marker
      .noteOffset(institutionId, offset)
      .catch((error: unknown) => health.failed(error))
      .finally(() => underWay.delete(ended));
    underWay.add(ended);
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

function delegatesOf(reads: ReadOptions, onPage: (query: AccountQuery) => void): Delegates {
  return {
    listAccounts: async (session, query) => {
      const page = await listAccounts(session, query, reads);
      if (query.condition === undefined && query.customerIds === undefined) onPage(query);
      return page;
    },
    listTransactions: (session, query) => listTransactions(session, query, reads),
  };
}

function closedError(): Error {
  return new Error("the store is closed");
}
