import type { StoreEngine } from "../common/adapter.ts";
import type { PostgresOperations } from "./adapter.ts";

/** Stores in PostgreSQL. The driver is loaded when a URL names one: an embedded service starts without it. */
export const postgresAdapter: StoreEngine = {
  schemes: ["postgres:", "postgresql:"],
  isShared: true,
  system: "postgresql",
  open: async (...asked) => (await operations()).open(...asked),
  openReader: async (...asked) => (await operations()).openReader(...asked),
  migrate: async (...asked) => (await operations()).migrate(...asked),
  plan: async (...asked) => (await operations()).plan(...asked),
  verify: async (...asked) => (await operations()).verify(...asked),
  sealKeys: {
    known: async (...asked) => (await operations()).sealKeys.known(...asked),
    rotate: async (...asked) => (await operations()).sealKeys.rotate(...asked),
  },
};

async function operations(): Promise<PostgresOperations> {
  return (await import("./adapter.ts")).postgresOperations;
}
