import { lstatSync, realpathSync } from "node:fs";
import { pathOf, type StoreEngine, noFileError } from "../common/adapter.ts";
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
import { verifySqliteFile } from "./verify.ts";

export { backUp } from "./backup.ts";
export { verifySqliteFile } from "./verify.ts";
export { migrate, openSqliteReader, openSqliteStore, rotateSealKeyOf } from "./open.ts";

/** `sqlite:<path>`: one file, which one process writes to. */
export const sqliteAdapter: StoreEngine = {
  schemes: ["sqlite:"],
  isShared: false,
  system: "sqlite",
  fileOf,
  explain: (error) => (isDriverError(error) ? explainedReasonOf(error) : undefined),
  open: async (url, schema, options) => openSqliteStore({ ...options, schema, file: fileOf(url) }),
  openReader: async (url, schema, options) => openSqliteReader({ ...options, schema, file: fileOf(url) }),
  migrate: async (url, schema, { sealer, onMigration }) => migrate(fileOf(url), schema, sealer, onMigration),
  plan: async (url, schema) => plannedMigrations(fileOf(url), schema),
  verify: async (url, schema, options) => verifySqliteFile(fileOf(url), schema, options),
  sealKeys: {
    known: async (url, schema) => sealKeysOf(fileOf(url), schema),
    rotate: async (url, schema, options) => rotateSealKeyOf({ ...options, schema, file: fileOf(url) }),
  },
  copies: {
    backUp: async (url, schema, target, options) => backUp(fileOf(url), schema, target, options),
    unfinished: unfinishedBackups,
    restore: async (source, url, schema, options) => restore(source, fileOf(url), schema, options),
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
