import type { LedgerVerification, Store, VerifyOptions } from "../ports/index.ts";
import type { MigrationStep, OpenReaderOptions, OpenStoreOptions, StoreAdapter } from "./common/adapter.ts";
import { StoreOpenError } from "./common/store-open-error.ts";
import { memoryAdapter } from "./memory/index.ts";
import { postgresAdapter } from "./postgres/index.ts";
import { sqliteAdapter } from "./sqlite/adapter.ts";

export { standardConnections, standardReads } from "./common/adapter.ts";
export type {
  ConnectionOptions,
  HealthListener,
  KnownSealKeys,
  MigrationBegun,
  MigrationListener,
  MigrationStep,
  OpenStoreOptions,
  ReadOptions,
  SealerSource,
} from "./common/adapter.ts";
export { currentRoot, recordRoots, rootText } from "./common/chain-roots.ts";
export { StoreOpenError } from "./common/store-open-error.ts";
export { firstName, type NamedDatabase } from "./common/named-database.ts";
export { openDirectory, type Directory } from "./directory/index.ts";
export { fileOf } from "./sqlite/adapter.ts";

/** Every kind of store: one row each. */
const adapters: readonly StoreAdapter[] = [sqliteAdapter, postgresAdapter, memoryAdapter];

/** Opens the store that a database URL names, for reading and writing. */
export function openStore(url: string, options: OpenStoreOptions): Promise<Store> {
  return adapterOf(url).open(url, options);
}

/** Opens it for reading alone, beside a service that may be writing to it. */
export function openReader(url: string, options: OpenReaderOptions): Promise<Store> {
  return adapterOf(url).openReader(url, options);
}

/** Creates the tables or brings them up to date. Returns the migrations it applied. */
export function migrateStore(url: string, options: OpenStoreOptions): Promise<readonly MigrationStep[]> {
  return adapterOf(url).migrate(url, options);
}

/** The migrations that the database lacks. Changes nothing. */
export function planMigrations(url: string, options: OpenStoreOptions): Promise<readonly MigrationStep[]> {
  return adapterOf(url).plan(url, options);
}

/** Verifies the books in the database. */
export function verifyStore(url: string, options: VerifyOptions): Promise<LedgerVerification> {
  return adapterOf(url).verify(url, options);
}

/** Whether several processes may have the same store open for writing. */
export function isSharedStore(url: string): boolean {
  return adapterOf(url).isShared;
}

/** Throws a `StoreOpenError` that names the schemes there are; the URL may hold a password and is not repeated. */
function adapterOf(url: string): StoreAdapter {
  const found = adapters.find(({ schemes }) => schemes.some((scheme) => url.startsWith(scheme)));
  if (found !== undefined) return found;
  const schemes = adapters.flatMap((adapter) => adapter.schemes).join(", ");
  throw new StoreOpenError(`LEDGER_DATABASE_URL names no store: it starts with one of ${schemes}`);
}
