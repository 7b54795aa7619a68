import { networkWord } from "../../platform/network-words.ts";
import {
  DuplicateRecordError,
  StoreBusyError,
  UnavailableError,
  type UnavailableReason,
} from "../ports/index.ts";

/** SQLSTATE codes (PostgreSQL 18, appendix A) after which the same transaction may succeed. */
const conflicts: ReadonlySet<string> = new Set([
  "40001", // serialization_failure
  "40P01", // deadlock_detected
]);

const reasons: ReadonlyMap<string, UnavailableReason> = new Map([
  ["55P03", "database-locked"], // lock_not_available: lock_timeout
  ["25006", "read-only"], // a standby
  ["53100", "disk-full"],
  ["53200", "out-of-memory"],
  ["53300", "unreachable"], // too_many_connections
  ["57P01", "unreachable"], // admin_shutdown
  ["57P02", "unreachable"], // crash_shutdown
  ["57P03", "unreachable"], // cannot_connect_now
  ["57P05", "unreachable"], // idle_session_timeout
  ["25P03", "unreachable"], // idle_in_transaction_session_timeout
  ["58030", "disk-fault"],
  ["XX001", "damaged"],
  ["XX002", "damaged"],
]);

/** The error codes of sockets, the resolver and the driver where no server answers. */
const systemCodes = /^(?:ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|ENOTFOUND|EAI_)/;
/** The error codes of Node's TLS and the driver for certificates and for servers without TLS. */
const tlsCodes = /^(?:ERR_TLS_|ERR_SSL_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/;
const tlsText = /^The server does not support SSL connections/;
const driverTexts =
  /^(?:Connection terminated|Client has encountered a connection error|timeout expired|Query read timeout|Client was closed)/;
const poolTimeout = /^timeout exceeded when trying to connect/;
const statementTimeout = "57014";

/** Whether the transaction met another one, and is to be run again. */
export function isConflict(error: unknown): boolean {
  return conflicts.has(codeOf(error));
}

/** Whether a lock was held for longer than a statement waits. The connection is whole. */
export function isLocked(error: unknown): boolean {
  return error instanceof UnavailableError && error.reason === "database-locked";
}

/** Whether the server has no connection left: another pool would only ask for more of them. */
export function isFull(error: unknown): boolean {
  return codeOf(error) === "53300";
}

/** An error of the database as the port declares it; others as they are. */
export function declaredFault(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof UnavailableError) return error;
  const code = codeOf(error);
  const reason = reasons.get(code) ?? (code.startsWith("08") ? "unreachable" : undefined);
  if (reason !== undefined) return new UnavailableError(reason, { cause: error });
  const hasNoTls = tlsText.test(error.message);
  if (tlsCodes.test(code) || hasNoTls) {
    // `/readyz` shows it to anyone: the text of OpenSSL is for the log, which has the cause.
    const what = hasNoTls ? "it takes none" : networkWord(error);
    return new UnavailableError("unreachable", {
      cause: error,
      message: `TLS to the database server fails: ${what}. Look at sslmode and sslrootcert in LEDGER_DATABASE_URL and at the server's certificate`,
    });
  }
  if (systemCodes.test(code) || driverTexts.test(error.message)) {
    return new UnavailableError("unreachable", { cause: error });
  }
  if (code === statementTimeout) {
    return new StoreBusyError("a statement took longer than database.statementTimeoutMs: ask again later", {
      cause: error,
    });
  }
  if (poolTimeout.test(error.message)) {
    return new StoreBusyError("no connection was free within database.connectTimeoutMs: ask again later", {
      cause: error,
    });
  }
  return error;
}

/** Says in the port's words why a change to `table` was refused. Values are left out: they may be personal. */
export function storeErrorOf(table: string, error: unknown): unknown {
  switch (codeOf(error)) {
    case "23505":
      return new DuplicateRecordError(`${table}: an identifier or unique field is taken`, { cause: error });
    case "23503":
      return new Error(`${table}: the record refers to one that does not exist`, { cause: error });
    case "22003":
      return new RangeError(`${table}: an amount leaves the range of 64-bit integers`, { cause: error });
    default:
      return declaredFault(error);
  }
}

export function codeOf(error: unknown): string {
  if (!(error instanceof Error) || !("code" in error)) return "";
  return typeof error.code === "string" ? error.code : "";
}
