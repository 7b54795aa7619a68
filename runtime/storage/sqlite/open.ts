import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import type { Store } from "../../ports/index.ts";
import { isNoDatabase, StoreOpenError } from "./errors.ts";
import { prepareFile } from "./files.ts";
import { lockForWriting } from "./lock.ts";
import { applyMigrations, pendingMigrations } from "./migrate.ts";
import { readerStore, writerStore } from "./store.ts";

/**
 * Opens the store in one SQLite file, for this process alone. Throws a `StoreOpenError` while another process has it
 * open, if the file is not one of this version's, or if migrations are missing and `migrate` does not allow to create
 * the file and bring it up to date.
 */
export async function openSqliteStore(options: {
  readonly file: string;
  readonly migrate: boolean;
}): Promise<Store> {
  const { file } = options;
  if (options.migrate) prepareFile(file);
  else requireFile(file);
  const unlock = lockForWriting(file);
  try {
    if (options.migrate) withDatabase(file, (database) => applyMigrations(database, file));
    else withDatabase(file, (database) => requireUpToDate(database, file));
    return writerStore(file, unlock);
  } catch (error) {
    unlock();
    throw error;
  }
}

/** Opens the store for reading only, while another process may be writing to it. Transactions are refused. */
export async function openSqliteReader(options: { readonly file: string }): Promise<Store> {
  requireFile(options.file);
  withDatabase(options.file, (database) => requireUpToDate(database, options.file));
  return readerStore(options.file);
}

/** Creates the file or brings it up to date. Gives the names of the migrations that it lacked. */
export async function migrate(file: string): Promise<readonly string[]> {
  prepareFile(file);
  const unlock = lockForWriting(file);
  try {
    return withDatabase(file, (database) => applyMigrations(database, file)).map(({ name }) => name);
  } finally {
    unlock();
  }
}

function requireFile(file: string): void {
  if (existsSync(file)) return;
  throw new StoreOpenError(`${file} does not exist: run \`ledger-server migrate\` to create it`);
}

function requireUpToDate(database: DatabaseSync, file: string): void {
  const missing = pendingMigrations(database, file).map(({ number, name }) => `${number} (${name})`);
  if (missing.length === 0) return;
  throw new StoreOpenError(`${file} lacks migration ${missing.join(", ")}: run \`ledger-server migrate\``);
}

function withDatabase<T>(file: string, use: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(file);
  try {
    return use(database);
  } catch (error) {
    if (!isNoDatabase(error)) throw error;
    throw new StoreOpenError(`${file} is no SQLite database: name a file of this service or a new one`, {
      cause: error,
    });
  } finally {
    database.close();
  }
}
