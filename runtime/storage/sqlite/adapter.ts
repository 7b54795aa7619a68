import { lstatSync, realpathSync } from "node:fs";
import { pathOf, type MigrationStep, type StoreAdapter } from "../common/adapter.ts";
import { StoreOpenError } from "../common/store-open-error.ts";
import { migrate, openSqliteReader, openSqliteStore, plannedMigrations } from "./open.ts";
import { verifySqliteFile } from "./verify.ts";

/** `sqlite:<path>`: one file, which one process writes to. */
export const sqliteAdapter: StoreAdapter = {
  schemes: ["sqlite:"],
  isShared: false,
  open: async (url, options) => openSqliteStore({ ...options, file: fileOf(url) }),
  openReader: async (url, options) => openSqliteReader({ ...options, file: fileOf(url) }),
  migrate: async (url, { sealer, onMigration }) =>
    (await migrate(fileOf(url), sealer, onMigration)).map(stepOf),
  plan: async (url) => plannedMigrations(fileOf(url)).map(stepOf),
  verify: async (url, options) => verifySqliteFile(fileOf(url), options),
};

/** The file that a URL names; of a link the file that it leads to: SQLite keeps the log there, and the lock belongs beside it. */
export function fileOf(url: string): string {
  const path = pathOf(url);
  if (url.startsWith("sqlite:") && path !== "") return behindLink(path);
  throw new StoreOpenError(
    "This command needs a database in an SQLite file: set LEDGER_DATABASE_URL to sqlite:<path>, or LEDGER_DATA_DIR",
  );
}

function behindLink(path: string): string {
  try {
    return lstatSync(path).isSymbolicLink() ? realpathSync(path) : path;
  } catch {
    // What opens it says what is wrong.
    return path;
  }
}

function stepOf({ number, name, sql }: MigrationStep): MigrationStep {
  return { number, name, sql };
}
