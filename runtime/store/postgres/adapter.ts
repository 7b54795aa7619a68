import type { Sealer, Store } from "../ports/index.ts";
import {
  standardConnections,
  standardReads,
  type OpenStoreOptions,
  type SealKeys,
  type StoreAdapter,
} from "../common/adapter.ts";
import { requireAllHere } from "./all-here.ts";
import { createConnections, type Session } from "./connections.ts";
import { applyMigrations, pendingMigrations, requireUpToDate } from "./migrate.ts";
import { requireNoMove } from "./move-progress.ts";
import { rotateSealKey } from "./seal/rotate-seal-key.ts";
import { knownSealKeys, requireSealKey } from "./seal/seal-keys.ts";
import { postgresStore } from "./store.ts";
import { verifyPostgres } from "./verify/verify.ts";

/** The work of the store that needs its driver. */
export type PostgresOperations = Pick<StoreAdapter, "open" | "openReader" | "migrate" | "plan" | "verify"> & {
  readonly sealKeys: SealKeys;
};

/** `postgres://…`: a database server, which any number of processes write to. */
export const postgresOperations: PostgresOperations = {
  open,
  openReader: async (url, { connections: given, sealer }) => {
    const connections = createConnections(url, given);
    const store = postgresStore({
      url,
      connections,
      sealer,
      options: { reads: standardReads, connections: given },
    });
    return {
      ...store,
      write: () => Promise.reject(new Error("the store is open for reading only")),
    };
  },
  migrate: (url, options) =>
    withSession(url, migrating(options), async (session) => {
      const applied = await applyMigrations(session, { onMigration: options.onMigration });
      const sealer = options.sealer?.(await knownSealKeys(session));
      if (sealer !== undefined) await requireSealKey(session, sealer);
      return applied;
    }),
  plan: (url, options) =>
    withSession(url, options, async (session) => (await pendingMigrations(session)).map(({ step }) => step)),
  verify: async (url, options) => {
    await withSession(url, { connections: standardConnections }, requireUpToDate);
    return verifyPostgres(url, undefined, options);
  },
  sealKeys: {
    known: (url) =>
      withSession(url, { connections: standardConnections }, async (session) => {
        await requireUpToDate(session);
        return knownSealKeys(session);
      }),
    rotate: (url, options) =>
      withSession(url, { connections: standardConnections }, (session) => rotateSealKey(session, options)),
  },
};

async function open(url: string, options: OpenStoreOptions): Promise<Store> {
  const sealer = await prepared(url, options);
  const connections = createConnections(url, options.connections);
  return postgresStore({ url, connections, sealer, options });
}

/** Brings the database up to date, or requires that it is. Returns the key that seals. */
async function prepared(url: string, options: OpenStoreOptions): Promise<Sealer | undefined> {
  const connecting = options.migrate ? migrating(options) : options;
  return withSession(url, connecting, async (session): Promise<Sealer | undefined> => {
    await requireNoMove(session);
    await requireAllHere(session);
    if (options.migrate) await applyMigrations(session, { onMigration: options.onMigration });
    else await requireUpToDate(session);
    const given = options.sealer?.(await knownSealKeys(session));
    if (given !== undefined) await requireSealKey(session, given);
    return given;
  });
}

/** A statement of a migration takes as long as the table is large. */
function migrating({ connections }: OpenStoreOptions): Pick<OpenStoreOptions, "connections"> {
  return { connections: { ...connections, statementTimeoutMs: 0 } };
}

async function withSession<T>(
  url: string,
  options: Pick<OpenStoreOptions, "connections">,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const connections = createConnections(url, { ...options.connections, poolSize: 1 });
  try {
    const session = await connections.session();
    try {
      return await work(session);
    } finally {
      session.release();
    }
  } finally {
    await connections.close();
  }
}
