import type { Reads } from "../../ports/index.ts";
import type { ReadEngine } from "../../common/engine.ts";
import type { Sealing } from "../../common/sealing.ts";
import { readsOf } from "../../common/verbs.ts";
import { auditEntries } from "../../tables/index.ts";
import { numberAuditEntries } from "../audit-numbers.ts";
import type { Connections, Session } from "../connections.ts";
import { readEngine, type ReadList } from "../engine/engine.ts";
import { StaleLookupError, type LookedUp, type LookUp } from "./lookup.ts";

export interface ReadingOptions {
  readonly connections: Connections;
  readonly lookUp: LookUp;
  /** For audit entries. */
  readonly auditing: Connections;
  readonly sealing: Sealing;
  readonly readList: ReadList;
}

/**
 * Runs `work` over one state. Where the schema has a lookup for its first question, one statement answers that and what
 * usually follows; a transaction begins only if `work` asks for more. It looks the record up again: found as before, all
 * answers are those of the transaction's state; else `work` runs once more, all of it in a transaction.
 */
export async function readConsistently<T>(
  reading: ReadingOptions,
  work: (view: Reads) => Promise<T>,
): Promise<T> {
  try {
    return await readOnce(reading, work, reading.lookUp);
  } catch (error) {
    if (error instanceof StaleLookupError) return readOnce(reading, work);
    throw error;
  }
}

async function readOnce<T>(
  reading: ReadingOptions,
  work: (view: Reads) => Promise<T>,
  lookUp?: LookUp,
): Promise<T> {
  let transaction: Promise<Transaction> | undefined;
  let looked: LookedUp | undefined;
  const engine = async (): Promise<ReadEngine> => (await (transaction ??= begin(reading, looked))).engine;
  const view = readsOf({
    one: async (query, values) => {
      if (looked === undefined && transaction === undefined) {
        looked = lookUp?.(query, values);
        if (looked !== undefined) return looked.one(query, values);
      }
      return (await looked?.one(query, values)) ?? (await engine()).one(query, values);
    },
    many: async (query, values) =>
      (await looked?.many(query, values)) ?? (await engine()).many(query, values),
    count: async (...question) => (await engine()).count(...question),
    list: async (...question) => (await engine()).list(...question),
  });
  let failure: unknown;
  try {
    const value = await work(view);
    await (
      await transaction
    )?.confirmed;
    return value;
  } catch (error) {
    failure = error;
    // What `work` made of answers that do not belong together does not count.
    await transaction?.then(({ confirmed }) => confirmed);
    throw error;
  } finally {
    // Not awaited: the connection returns to the pool once it is done.
    void transaction?.then(({ session }) => end(session, failure), ignored);
  }
}

interface Transaction {
  readonly session: Session;
  readonly engine: ReadEngine;
  /** Rejects where its answers are not to be used. */
  readonly confirmed: Promise<unknown>;
}

async function begin(reading: ReadingOptions, looked: LookedUp | undefined): Promise<Transaction> {
  const { sealing, readList } = reading;
  const session = await reading.connections.session();
  // All of this travels with the first question.
  session.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY").catch(ignored);
  const confirmed = Promise.resolve(looked?.requireSame(session));
  confirmed.catch(ignored);
  return { session, engine: withAuditNumbers(readEngine(session, sealing, readList), reading), confirmed };
}

async function end(session: Session, failure: unknown): Promise<void> {
  try {
    await session.execute(failure === undefined ? "COMMIT" : "ROLLBACK");
    session.release();
  } catch (error) {
    session.release(error);
  }
}

/** Reported by the questions that follow. */
function ignored(): void {}

/** Audit entries are numbered before they are read: those are of a later state than the view's. */
function withAuditNumbers(engine: ReadEngine, { auditing, sealing, readList }: ReadingOptions): ReadEngine {
  return {
    ...engine,
    many: async (query, values) => {
      if (query.table.name !== auditEntries.name) return engine.many(query, values);
      await numberAuditEntries(auditing);
      const session = await auditing.session();
      let failure: unknown;
      try {
        return await readEngine(session, sealing, readList).many(query, values);
      } catch (error) {
        failure = error;
        throw error;
      } finally {
        session.release(failure);
      }
    },
  };
}
