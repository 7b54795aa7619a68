import type { Sealer, Store } from "../ports/index.ts";
import type { Schema } from "../tables/schema.ts";
import {
  standardConnections,
  standardReads,
  type OpenStoreOptions,
  type SealKeys,
  type StoreEngine,
  StoreOpenError,
} from "../common/adapter.ts";
import { createConnections, type Session } from "./connections.ts";
import { applyMigrations, pendingMigrations, requireUpToDate, requireNoMove } from "./migrate.ts";
import { versions } from "./schema.ts";
import { rotateSealKey, knownSealKeys, requireSealKey } from "./seal-keys.ts";
import { postgresStore } from "./store.ts";
import { verifyPostgres } from "./verify/verify.ts";

/** The work of the store that needs its driver. */
export type PostgresOperations = Pick<StoreEngine, "open" | "openReader" | "migrate" | "plan" | "verify"> & {
  readonly sealKeys: SealKeys;
};

/** `postgres://…`: a database server, which any number of processes write to. */
export const postgresOperations: PostgresOperations = {
  open,
  openReader: async (url, schema, { connections: given, sealer }) => {
    const connections = createConnections(url, given);
    const store = postgresStore({
      url,
      schema,
      connections,
      sealer,
      options: { reads: standardReads, connections: given },
    });
    return {
      ...store,
      write: () => Promise.reject(new Error("the store is open for reading only")),
    };
  },
  migrate: (url, schema, options) =>
    withSession(url, migrating(options), async (session) => {
      const applied = await applyMigrations(session, versions(schema), {
        onMigration: options.onMigration,
      });
      const sealer = options.sealer?.(await knownSealKeys(session));
      if (sealer !== undefined) await requireSealKey(session, sealer);
      return applied;
    }),
  plan: (url, schema, options) =>
    withSession(url, options, async (session) =>
      (await pendingMigrations(session, versions(schema))).map(({ step }) => step),
    ),
  verify: async (url, schema, options) => {
    await withSession(url, { connections: standardConnections }, (session) =>
      requireUpToDate(session, versions(schema)),
    );
    return verifyPostgres(url, schema, undefined, options);
  },
  sealKeys: {
    known: (url, schema) =>
      withSession(url, { connections: standardConnections }, async (session) => {
        await requireUpToDate(session, versions(schema));
        return knownSealKeys(session);
      }),
    rotate: (url, schema, options) =>
      withSession(url, { connections: standardConnections }, (session) =>
        rotateSealKey(session, schema, options),
      ),
  },
};

async function open(url: string, schema: Schema, options: OpenStoreOptions): Promise<Store> {
  const sealer = await prepared(url, schema, options);
  const connections = createConnections(url, options.connections);
  return postgresStore({ url, schema, connections, sealer, options });
}

/** Brings the database up to date, or requires that it is. Returns the key that seals. */
async function prepared(url: string, schema: Schema, options: OpenStoreOptions): Promise<Sealer | undefined> {
  const connecting = options.migrate ? migrating(options) : options;
  return withSession(url, connecting, async (session): Promise<Sealer | undefined> => {
    await requireNoMove(session);
    await requireAllHere(session);
    if (options.migrate)
      await applyMigrations(session, versions(schema), {
        onMigration: options.onMigration,
      });
    else await requireUpToDate(session, versions(schema));
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

const isThereSql = "SELECT to_regclass('institution_places') IS NOT NULL";
const placeSql = "SELECT database_name FROM institution_places LIMIT 1";

/** Throws a `StoreOpenError` for a database of an earlier version whose institutions are partly in another one. */
async function requireAllHere(session: Session): Promise<void> {
  const [[isThere] = []] = await session.rowsOnce(isThereSql, []);
  if (isThere !== "t") return;
  const [place] = await session.rowsOnce(placeSql, []);
  if (place === undefined) return;
  throw new StoreOpenError(
    `Institutions of this database are in the database ${String(place[0])}. Check out commit cb739801, and with its ` +
      "settings run `ledger-server move --institution <id> --to first` for each of them. See docs/upgrading.md",
  );
}
