import type { Reads } from "../../ports/index.ts";
import type { ReadEngine } from "../../common/engine.ts";
import type { Sealing } from "../../common/sealing.ts";
import { readsOf } from "../../common/verbs.ts";
import { auditEntries } from "../../tables/index.ts";
import {
  createAccountLookup,
  isAccountQuery,
  StaleLookupError,
  type AccountLookup,
} from "../../../../ledger/books/postgres/account-lookup.ts";
import { numberAuditEntries } from "../audit-numbers.ts";
import type { Connections, Session } from "../connections.ts";
import { readEngine, type ReadList } from "../engine/engine.ts";
import type { AccountBatch } from "../../../../ledger/books/postgres/account-batch.ts";

export interface ReadingOptions {
  readonly connections: Connections;
  /** For accounts that one statement finds. */
  readonly batch: AccountBatch;
  /** For audit entries. */
  readonly auditing: Connections;
  readonly sealing: Sealing;
  readonly readList: ReadList;
}

/**
 * Runs `work` over one state. Where its first question is for an account, one statement answers that and what usually
 * follows; a transaction begins only if `work` asks for more. It looks the account up again: found as before, all
 * answers are those of the transaction's state; else `work` runs once more, all of it in a transaction.
 */
export async function readConsistently<T>(
  reading: ReadingOptions,
  work: (view: Reads) => Promise<T>,
): Promise<T> {
  try {
    return await readOnce(reading, work, createAccountLookup(reading.batch, reading.sealing));
  } catch (error) {
    if (error instanceof StaleLookupError) return readOnce(reading, work);
    throw error;
  }
}

async function readOnce<T>(
  reading: ReadingOptions,
  work: (view: Reads) => Promise<T>,
  lookup?: AccountLookup,
): Promise<T> {
  let transaction: Promise<Transaction> | undefined;
  const begun = (): Promise<Transaction> => (transaction ??= begin(reading, lookup));
  let failure: unknown;
  try {
    const value = await work(readsOf(engineOver(begun, () => transaction === undefined, lookup)));
    await (
      await transaction
    )?.confirmed;
    return value;
  } catch (error) {
    failure = error;
    // What `work` made of answers that do not belong together is of no account.
    await transaction?.then(({ confirmed }) => confirmed);
    throw error;
  } finally {
    // Not awaited: the connection returns to the pool once it is done.
    void transaction?.then(({ session }) => end(session, failure), ignored);
  }
}

function engineOver(
  begun: () => Promise<Transaction>,
  isFirst: () => boolean,
  lookup: AccountLookup | undefined,
): ReadEngine {
  let isLookedUp = false;
  const engine = async (): Promise<ReadEngine> => (await begun()).engine;
  return {
    one: async (query, values) => {
      if (lookup !== undefined && !isLookedUp && isFirst() && isAccountQuery(query)) {
        isLookedUp = true;
        return lookup.account(query, values);
      }
      const found = isLookedUp ? await lookup?.beside(query, values) : undefined;
      return found ?? (await engine()).one(query, values);
    },
    many: async (query, values) => {
      const found = isLookedUp ? await lookup?.besideAll(query, values) : undefined;
      return found ?? (await engine()).many(query, values);
    },
    count: async (...question) => (await engine()).count(...question),
    list: async (...question) => (await engine()).list(...question),
  };
}

interface Transaction {
  readonly session: Session;
  readonly engine: ReadEngine;
  /** Rejects where its answers are not to be used. */
  readonly confirmed: Promise<unknown>;
}

async function begin(reading: ReadingOptions, lookup: AccountLookup | undefined): Promise<Transaction> {
  const { sealing, readList } = reading;
  const session = await reading.connections.session();
  // All of this travels with the first question.
  session.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY").catch(ignored);
  const confirmed = Promise.resolve(lookup?.requireSame(session));
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
