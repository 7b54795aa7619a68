import { type StoreEngine, StoreOpenError } from "../common/adapter.ts";
import type { Store } from "../ports/index.ts";
import { readsOf, withTransaction } from "../common/engine.ts";
import type { Schema } from "../tables/schema.ts";
import { readEngine, writeEngine } from "./engine.ts";
import { draftOf, stateReader, type State } from "./state.ts";
import { verifyMemory } from "./verify.ts";

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
