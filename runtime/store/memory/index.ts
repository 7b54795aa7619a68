import { type StoreEngine, StoreOpenError } from "../common/adapter.ts";
import type { Store, LedgerVerification, VerifyOptions } from "../ports/index.ts";
import { readsOf, withTransaction } from "../common/engine.ts";
import type { Schema } from "../tables/schema.ts";
import { readEngine, writeEngine, draftOf, stateReader, type State, type StateReader } from "./engine.ts";
import { inKeyOrder } from "../common/code-points.ts";
import { auditEntries, chainRoots, institutions, users, type Table } from "../tables/index.ts";
import {
  createFindings,
  verifyBooks,
  type AuditBook,
  type AuditSubjects,
  type Books,
  type NumberedBook,
} from "../common/verify/index.ts";

/** `memory:`: everything is gone when the process ends. Personal data is not sealed: it never leaves the process. */
export const memoryAdapter: StoreEngine = {
  schemes: ["memory:"],
  isShared: false,
  system: "memory",
  open: async (_url, schema, { sealer }) => {
    sealer?.({ isSealed: false });
    return createMemoryStore(schema);
  },
  openReader: refused,
  migrate: async () => [],
  plan: async () => [],
  verify: refused,
};

function refused(): Promise<never> {
  return Promise.reject(
    new StoreOpenError(
      "A store in memory (LEDGER_DATABASE_URL=memory:) cannot be opened by a second process: choose sqlite:<path>",
    ),
  );
}

export interface MemoryStore extends Store {
  /** Another store, which begins with what this one holds. */
  fork(): MemoryStore;
}

/**
 * A store in memory, for tests: keeps the rules of the others and nothing else. Readers see the last commit, a
 * transaction its own copy, one at a time.
 */
export function createMemoryStore(schema: Schema, initial: State = new Map()): MemoryStore {
  let state = initial;
  let isClosed = false;
  let lastTransaction: Promise<unknown> = Promise.resolve();

  return {
    read: async (work) => {
      requireOpen();
      return work(readsOf(readEngine(stateReader(state))));
    },
    write: (work) => {
      if (isClosed) return Promise.reject(closed());
      const result = lastTransaction.then(async () => {
        const draft = draftOf(state);
        const value = await withTransaction(writeEngine(draft), work);
        state = draft.finished();
        return value;
      });
      lastTransaction = result.catch(() => undefined);
      return result;
    },
    verify: async (options) => {
      requireOpen();
      return verifyMemory(schema, stateReader(state), options);
    },
    ping: async () => requireOpen(),
    health: () => ({ kind: "well" }),
    fork: () => createMemoryStore(schema, state),
    close: async () => {
      isClosed = true;
      await lastTransaction;
    },
  };

  function requireOpen(): void {
    if (isClosed) throw closed();
  }
}

function closed(): Error {
  return new Error("the store is closed");
}

type All = <R>(table: Table<R>) => readonly R[];

/** As every store verifies its books; those in memory have no file that could be damaged. */
function verifyMemory(schema: Schema, state: StateReader, options: VerifyOptions = {}): LedgerVerification {
  const all: All = (table) => [...state.rows(table).byKey.values()].map((row) => table.decode(row));
  return verifyBooks(schema, memoryBooks(state, all), { kind: "records", all }, createFindings(), options);
}

function memoryBooks(state: StateReader, all: All): Books {
  const audit: readonly (AuditBook & NumberedBook)[] = all(auditEntries).map(
    ({ sequence = 0, changes, ...entry }) => ({
      ...entry,
      sequence,
      changes: JSON.stringify(changes),
    }),
  );

  return {
    institutions: () => inKeyOrder(all(institutions), ({ id }) => [id]).map(({ id }) => id),
    // Nothing that is kept in memory is sealed.
    sealKeyId: () => undefined,
    sealedTexts: () => [],
    audit: (institutionId, subjects) =>
      inKeyOrder(
        audit.filter((entry) => entry.institutionId === institutionId && isOf(entry, subjects)),
        ({ subjectType, subjectId, position }) => [subjectType, subjectId, position],
      ),
    records: (institutionId, { table, subject, owner, isOfUser }) => {
      const owners = isOfUser
        ? all(users)
            .filter((user) => user.institutionId === institutionId)
            .map(({ userName }) => userName)
        : [institutionId];
      return inKeyOrder(
        [...state.rows(table).byKey.values()].filter((row) => owners.includes(String(row[owner.index]))),
        (row) => [String(row[subject.index])],
      );
    },
    auditInOrder: () => audit,
    roots: () => inKeyOrder(all(chainRoots), ({ sequence }) => [sequence]),
  };
}

function isOf({ subjectType }: AuditBook, subjects: AuditSubjects): boolean {
  return "only" in subjects ? subjectType === subjects.only : !subjects.except.includes(subjectType);
}
