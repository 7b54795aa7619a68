/** A database cannot be opened as a store; the message says why and what to do. */
export class StoreOpenError extends Error {
  override readonly name = "StoreOpenError";
}

/** The command works on the file of a store, and the configured store has none. */
export function noFileError(): StoreOpenError {
  return new StoreOpenError(
    "This command needs a database in an SQLite file: set LEDGER_DATABASE_URL to sqlite:<path>, or LEDGER_DATA_DIR",
  );
}
