import { messageOf } from "../../contract/index.ts";
import { StoreOpenError } from "../common/adapter.ts";
import {
  DuplicateRecordError,
  textOfReason,
  UnavailableError,
  type UnavailableReason,
} from "../ports/index.ts";

/** The file is damaged: a `StoreOpenError` that says how, and that a backup has to be restored. */
export function damagedFile(file: string, how: string, cause?: unknown): StoreOpenError {
  return new StoreOpenError(
    `${file} is damaged: ${how}. Nothing was changed. Keep a copy of the folder, then restore the latest backup: ` +
      "`ledger-server restore <backup>`",
    { cause },
  );
}

/** Result codes (sqlite.org/rescode.html): primary ones, below 256, and extended ones. */
const codes = {
  foreignKey: 787,
  primaryKey: 1555,
  unique: 2067,
  datatype: 3091,
} as const;

/** The cause on the disk, in the file or of the machine, by extended code, or else by primary code. */
const unavailableReasons: ReadonlyMap<number, UnavailableReason> = new Map([
  [3, "read-only"], // PERM
  [5, "database-locked"], // BUSY
  [6, "database-locked"], // LOCKED
  [7, "out-of-memory"], // NOMEM
  [8, "read-only"], // READONLY
  [10, "disk-fault"], // IOERR
  [11, "damaged"], // CORRUPT
  [13, "disk-full"], // FULL
  [14, "disk-fault"], // CANTOPEN
  [15, "disk-fault"], // PROTOCOL: the locks of the log do not hold
  [22, "disk-fault"], // NOLFS: the file system's limit of a file's size
  [26, "damaged"], // NOTADB
  [1032, "file-replaced"], // READONLY_DBMOVED
  [3082, "out-of-memory"], // IOERR_NOMEM
  [4874, "disk-full"], // IOERR_SHMSIZE: the log's index cannot grow
  [8202, "damaged"], // IOERR_DATA: a checksum of the file system failed
  [8458, "damaged"], // IOERR_CORRUPTFS
]);

/** The result code of an error that SQLite reported. */
export function codeOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("errcode" in error)) return undefined;
  return typeof error.errcode === "number" ? error.errcode : undefined;
}

/** Whether SQLite's driver has thrown an error. */
export function isDriverError(error: unknown): boolean {
  return error instanceof Error && "code" in error && String(error.code).startsWith("ERR_SQLITE");
}

/** The same with its meaning for the disk, and the remedy: "disk I/O error" alone may be a full one. */
export function explainedReasonOf(error: unknown): string {
  const fault = declaredFault(error);
  const reason = messageOf(error);
  return fault instanceof UnavailableError && fault !== error
    ? `${reason} (${textOfReason(fault.reason)})`
    : reason;
}

/** The cause on the disk, in the file or of the machine; `undefined` where the error is a statement's own fault. */
export function unavailableReasonOf(error: unknown): UnavailableReason | undefined {
  if (error instanceof UnavailableError) return error.reason;
  const code = codeOf(error);
  return code === undefined
    ? undefined
    : (unavailableReasons.get(code) ?? unavailableReasons.get(code % 256));
}

/** An error of SQLite as the port declares it; others as they are. */
export function declaredFault(error: unknown): unknown {
  if (error instanceof UnavailableError) return error;
  const reason = unavailableReasonOf(error);
  return reason === undefined ? error : new UnavailableError(reason, { cause: error });
}

/** Whether another connection holds the lock. */
export function isLocked(error: unknown): boolean {
  return unavailableReasonOf(error) === "database-locked";
}

/** Says in the port's words why a change to `table` was refused. Values are left out: they may be personal. */
export function storeErrorOf(table: string, error: unknown): unknown {
  switch (codeOf(error)) {
    case codes.unique:
    case codes.primaryKey:
      return new DuplicateRecordError(`${table}: an identifier or unique field is taken`, { cause: error });
    case codes.foreignKey:
      return new Error(`${table}: the record refers to one that does not exist`, { cause: error });
    case codes.datatype:
      return new RangeError(`${table}: an amount leaves the range of 64-bit integers`, { cause: error });
    default:
      return error;
  }
}
