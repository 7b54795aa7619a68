import { DuplicateRecordError } from "../../ports/index.ts";

/** The file cannot be opened as a store; the message says why and what to do. */
export class StoreOpenError extends Error {
  override readonly name = "StoreOpenError";
}

/** Extended result codes (sqlite.org/rescode.html). */
const codes = {
  busy: 5,
  notADatabase: 26,
  foreignKey: 787,
  primaryKey: 1555,
  unique: 2067,
  datatype: 3091,
} as const;

/** The result code of an error that SQLite reported. */
function codeOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("errcode" in error)) return undefined;
  return typeof error.errcode === "number" ? error.errcode : undefined;
}

/** What SQLite says of an error, such as "database or disk is full". */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Whether another connection holds the lock. */
export function isBusy(error: unknown): boolean {
  return (codeOf(error) ?? 0) % 256 === codes.busy;
}

/** Whether the file holds something else than a database. */
export function isNoDatabase(error: unknown): boolean {
  return codeOf(error) === codes.notADatabase;
}

/** Says in the port's words why a change to `table` was refused. Values are left out: they may be personal. */
export function refusal(table: string, error: unknown): unknown {
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
