import { RetryLaterError } from "../../contract/index.ts";

export { DuplicateRecordError } from "../../contract/index.ts";

/** A question that would have looked at more rows than one may. The same question fails again; a narrower one may not. */
export class TooManyRowsError extends Error {
  override readonly name = "TooManyRowsError";
  readonly rowsMax: number;

  constructor(rowsMax: number) {
    super(`the question would look at more than ${rowsMax} rows (reads.rowsMax): narrow it`);
    this.rowsMax = rowsMax;
  }
}

/** The store has too much to do to answer now. The same question may be answered later. */
export class StoreBusyError extends RetryLaterError {
  override readonly name = "StoreBusyError";

  constructor(message: string, options: ErrorOptions = {}) {
    super(message, { ...options, word: "reads-busy", retryAfterSeconds: 1 });
  }
}

/** Why a store cannot do its work now. */
export const unavailableReasons = [
  "disk-full",
  "disk-fault",
  "read-only",
  /** Another program holds a lock for longer than a transaction waits. */
  "database-locked",
  "out-of-memory",
  /** The database server does not answer, or refuses connections. */
  "unreachable",
  /** This and the next for good: until the operator has repaired it and started the service again. */
  "damaged",
  "file-replaced",
  /** After a start; calls are answered meanwhile. */
  "checking",
] as const;

export type UnavailableReason = (typeof unavailableReasons)[number];

/** Short texts for `/readyz` and logs: neither paths nor values. */
const texts: Readonly<Record<UnavailableReason, string>> = {
  "disk-full": "the disk is full: nothing can be written until there is room",
  "disk-fault": "the disk refuses reads or writes: look at the system's log, the mount and the quota",
  "read-only": "the database cannot be written: its file, folder or file system is read-only",
  "database-locked": "another program holds a lock of the database: end its transaction",
  "out-of-memory": "no memory is left for the database",
  unreachable:
    "the database server cannot be reached: look whether it runs, and at the network and its limits",
  damaged:
    "the database is damaged: stop the service and restore a backup (SQLite: ledger-server restore; PostgreSQL: pg_restore)",
  "file-replaced":
    "the database file was removed or replaced under the running service: stop it and put the file back, or restore a backup",
  checking: "the database file is being checked",
};

/** After how long a caller may try again. What needs an operator is not asked for every second. */
const retryAfterSeconds: Readonly<Record<UnavailableReason, number>> = {
  "disk-full": 5,
  "disk-fault": 5,
  "read-only": 5,
  "database-locked": 1,
  "out-of-memory": 1,
  unreachable: 1,
  damaged: 60,
  "file-replaced": 60,
  checking: 1,
};

/** The meaning of a reason and the remedy, in a line. */
export function textOfReason(reason: UnavailableReason): string {
  return texts[reason];
}

/** The store cannot be read or written now. `/readyz` and the log say why, callers learn of locks alone. */
export class UnavailableError extends RetryLaterError {
  override readonly name = "UnavailableError";
  readonly reason: UnavailableReason;

  /** `message` replaces the text of the reason. */
  constructor(reason: UnavailableReason, options: ErrorOptions & { readonly message?: string } = {}) {
    super(options.message ?? texts[reason], {
      ...options,
      word: reason === "database-locked" ? reason : "store",
      retryAfterSeconds: retryAfterSeconds[reason],
    });
    this.reason = reason;
  }
}
