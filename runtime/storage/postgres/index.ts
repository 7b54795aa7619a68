import type { StoreAdapter } from "../common/adapter.ts";

/** Stores in PostgreSQL. The driver is loaded when a URL names one: an embedded service starts without it. */
export const postgresAdapter: StoreAdapter = {
  schemes: ["postgres:", "postgresql:"],
  isShared: true,
  open: async (url, options) => (await operations()).open(url, options),
  openReader: async (url, options) => (await operations()).openReader(url, options),
  migrate: async (url, options) => (await operations()).migrate(url, options),
  plan: async (url, options) => (await operations()).plan(url, options),
  verify: async (url, options) => (await operations()).verify(url, options),
};

async function operations(): Promise<Omit<StoreAdapter, "schemes" | "isShared">> {
  return (await import("./adapter.ts")).postgresOperations;
}
