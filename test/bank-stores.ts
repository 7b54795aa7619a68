import { schema } from "../ledger/schema.ts";
import type { Store } from "../runtime/store/ports/index.ts";
import * as stores from "../runtime/store/index.ts";
import * as memory from "../runtime/store/memory/index.ts";
import * as moves from "../runtime/store/move/index.ts";
import * as sqlite from "../runtime/store/sqlite/index.ts";

/** The stores of the engine, opened with what the bank keeps. */
export const openStore = (url: string, options: stores.OpenStoreOptions): Promise<Store> =>
  stores.openStore(url, schema, options);

export const openReader = (url: string, options: Parameters<typeof stores.openReader>[2]): Promise<Store> =>
  stores.openReader(url, schema, options);

export const migrateStore = (
  url: string,
  options: stores.OpenStoreOptions,
): Promise<readonly stores.MigrationStep[]> => stores.migrateStore(url, schema, options);

export const planMigrations = (
  url: string,
  options: stores.OpenStoreOptions,
): Promise<readonly stores.MigrationStep[]> => stores.planMigrations(url, schema, options);

export const verifyStore = (
  url: string,
  options: Parameters<typeof stores.verifyStore>[2],
): ReturnType<typeof stores.verifyStore> => stores.verifyStore(url, schema, options);

export const createMemoryStore = (): memory.MemoryStore => memory.createMemoryStore(schema);

type Without<Options> = Omit<Options, "schema">;

export const openSqliteStore = (
  options: Without<Parameters<typeof sqlite.openSqliteStore>[0]>,
): Promise<Store> => sqlite.openSqliteStore({ ...options, schema });

export const openSqliteReader = (
  options: Without<Parameters<typeof sqlite.openSqliteReader>[0]>,
): Promise<Store> => sqlite.openSqliteReader({ ...options, schema });

export const rotateSealKeyOf = (
  options: Without<Parameters<typeof sqlite.rotateSealKeyOf>[0]>,
): ReturnType<typeof sqlite.rotateSealKeyOf> => sqlite.rotateSealKeyOf({ ...options, schema });

export const migrate = (
  file: string,
  ...rest: readonly [sealer?: stores.SealerSource, onMigration?: stores.MigrationListener]
): ReturnType<typeof sqlite.migrate> => sqlite.migrate(file, schema, ...rest);

export const verifySqliteFile = (
  file: string,
  options?: Parameters<typeof sqlite.verifySqliteFile>[2],
): ReturnType<typeof sqlite.verifySqliteFile> => sqlite.verifySqliteFile(file, schema, options);

export const backUp = (
  file: string,
  target: string,
  options: Parameters<typeof sqlite.backUp>[3],
): ReturnType<typeof sqlite.backUp> => sqlite.backUp(file, schema, target, options);

export const moveStore = (
  options: Without<Parameters<typeof moves.moveStore>[0]>,
): ReturnType<typeof moves.moveStore> => moves.moveStore({ ...options, schema });
