import type { LedgerVerification, Store, VerifyOptions } from "./ports/index.ts";
import {
  type Copies,
  type MigrationStep,
  type OpenReaderOptions,
  type OpenStoreOptions,
  type SealKeys,
  type StoreEngine,
  noFileError,
  StoreOpenError,
} from "./common/adapter.ts";
import type { Schema } from "./tables/schema.ts";
import { memoryAdapter } from "./memory/index.ts";
import { postgresAdapter } from "./postgres/index.ts";
import { sqliteAdapter } from "./sqlite/index.ts";

export {
  standardConnections,
  standardReads,
  type ConnectionOptions,
  type HealthListener,
  type KnownSealKeys,
  type MigrationBegun,
  type MigrationListener,
  type MigrationStep,
  type OpenStoreOptions,
  type ReadOptions,
  type SealerSource,
  StoreOpenError,
} from "./common/adapter.ts";
export { currentRoot, recordRoots, rootText } from "./common/chain-roots.ts";
export type { Schema, SchemaStep } from "./tables/index.ts";
export { stepsOf } from "./tables/steps.ts";

/** Every kind of store: one row each. */
const engines: readonly StoreEngine[] = [sqliteAdapter, postgresAdapter, memoryAdapter];

/** Opens the store that a database URL names, for reading and writing. */
export function openStore(url: string, schema: Schema, options: OpenStoreOptions): Promise<Store> {
  return engineOf(url).open(url, schema, options);
}

/** Opens it for reading alone, beside a service that may be writing to it. */
export function openReader(url: string, schema: Schema, options: OpenReaderOptions): Promise<Store> {
  return engineOf(url).openReader(url, schema, options);
}

/** Creates the tables or brings them up to date. Returns the migrations it applied. */
export function migrateStore(
  url: string,
  schema: Schema,
  options: OpenStoreOptions,
): Promise<readonly MigrationStep[]> {
  return engineOf(url).migrate(url, schema, options);
}

/** The migrations that the database lacks. Changes nothing. */
export function planMigrations(
  url: string,
  schema: Schema,
  options: OpenStoreOptions,
): Promise<readonly MigrationStep[]> {
  return engineOf(url).plan(url, schema, options);
}

/** Verifies the books in the database. */
export function verifyStore(
  url: string,
  schema: Schema,
  options: VerifyOptions,
): Promise<LedgerVerification> {
  return engineOf(url).verify(url, schema, options);
}

/** Whether several processes may have the same store open for writing. */
export function isSharedStore(url: string): boolean {
  return engineOf(url).isShared;
}

/** The engine's name in OpenTelemetry's conventions. */
export function systemOf(url: string): string {
  return engineOf(url).system;
}

/** The file of a store; undefined for a store without a file. */
export function fileOf(url: string): string | undefined {
  return engineOf(url).fileOf?.(url);
}

/** The URL of the store in a file. */
export function urlOfFile(file: string): string {
  const [scheme = ""] = engines.find((engine) => engine.fileOf !== undefined)?.schemes ?? [];
  return `${scheme}${file}`;
}

/** The text of an engine's error, with its meaning for the machine. Undefined for all other errors. */
export function explainStoreError(error: Error): string | undefined {
  return engines.map((engine) => engine.explain?.(error)).find((text) => text !== undefined);
}

/** The seal keys of a store. Throws a `StoreOpenError` where nothing is sealed. */
export function sealKeysOf(url: string): SealKeys {
  return needed(engineOf(url).sealKeys);
}

/** Backups of a store. Throws a `StoreOpenError` where it is no file. */
export function copiesOf(url: string): Copies {
  return needed(engineOf(url).copies);
}

function needed<T>(ability: T | undefined): T {
  if (ability === undefined) throw noFileError();
  return ability;
}

/** Throws a `StoreOpenError` that names the schemes there are; the URL may hold a password and is not repeated. */
function engineOf(url: string): StoreEngine {
  const found = engines.find(({ schemes }) => schemes.some((scheme) => url.startsWith(scheme)));
  if (found !== undefined) return found;
  const schemes = engines.flatMap((engine) => engine.schemes).join(", ");
  throw new StoreOpenError(`LEDGER_DATABASE_URL names no store: it starts with one of ${schemes}`);
}
