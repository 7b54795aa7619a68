import type { StoreEngine } from "../common/adapter.ts";
import { createMemoryStore } from "../memory/index.ts";

/** `scratch:`: a store of the trial, over the one in memory. */
export const scratchAdapter: StoreEngine = {
  schemes: ["scratch:"],
  isShared: false,
  system: "scratch",
  open: async (_url, schema, { sealer }) => {
    sealer?.({ isSealed: false });
    return createMemoryStore(schema);
  },
  openReader: () => Promise.reject(new Error("one process alone")),
  migrate: async () => [],
  plan: async () => [],
  verify: () => Promise.reject(new Error("one process alone")),
};
