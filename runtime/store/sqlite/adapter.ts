import { lstatSync, realpathSync } from "node:fs";
import { pathOf, type MigrationStep, type StoreAdapter } from "../common/adapter.ts";
import { noFileError } from "../common/store-open-error.ts";
import { backUp, restore, unfinishedBackups } from "./backup.ts";
import { explainedReasonOf, isDriverError } from "./errors.ts";
import {
  migrate,
  openSqliteReader,
  openSqliteStore,
  plannedMigrations,
  rotateSealKeyOf,
  sealKeysOf,
} from "./open.ts";
import { verifySqliteFile } from "./verify/verify.ts";

/** `sqlite:<path>`: one file, which one process writes to. */
export const sqliteAdapter: StoreAdapter = {
  schemes: ["sqlite:"],
  isShared: false,
  system: "sqlite",
  fileOf,
  explain: (error) => (isDriverError(error) ? explainedReasonOf(error) : undefined),
  open: async (url, options) => openSqliteStore({ ...options, file: fileOf(url) }),
  openReader: async (url, options) => openSqliteReader({ ...options, file: fileOf(url) }),
  migrate: async (url, { sealer, onMigration }) =>
    (await migrate(fileOf(url), sealer, onMigration)).map(stepOf),
  plan: async (url) => plannedMigrations(fileOf(url)).map(stepOf),
  verify: async (url, options) => verifySqliteFile(fileOf(url), options),
  sealKeys: {
    known: async (url) => sealKeysOf(fileOf(url)),
    rotate: async (url, options) => rotateSealKeyOf({ file: fileOf(url), ...options }),
  },
  copies: {
    backUp: async (url, target, options) => backUp(fileOf(url), target, options),
    unfinished: unfinishedBackups,
    restore: async (source, url, options) => restore(source, fileOf(url), options),
  },
};

/** The file that a URL names; of a link the file that it leads to: SQLite keeps the log there, and the lock belongs beside it. */
function fileOf(url: string): string {
  const path = pathOf(url);
  if (path === "") throw noFileError();
  return behindLink(path);
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
