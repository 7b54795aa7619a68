import type { StoreEngine } from "../common/adapter.ts";
import { StoreOpenError } from "../common/store-open-error.ts";
import { createMemoryStore } from "./store.ts";

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
