import type { Config } from "../config/index.ts";
import { textOfReason, UnavailableError } from "../../store/ports/index.ts";
import { explainStoreError, StoreOpenError } from "../../store/index.ts";
import { messageOf } from "../../contract/index.ts";

/** Runs what starts the service; errors of the operating system name the setting they concern. */
export async function starting<T>(config: Config, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw startupError(error, config);
  }
}

/** Says of an error of the operating system what is wrong with which setting. */
function startupError(error: unknown, config: Config): unknown {
  if (!(error instanceof Error) || error instanceof StoreOpenError) return error;
  const code = textOf(error, "code");
  if (code === "EADDRINUSE") return new Error(portTaken(error, config), { cause: error });
  const advice = adviceByState.get(code);
  if (advice !== undefined)
    return new Error(`The database server refuses: ${error.message}. ${advice}`, { cause: error });
  const reason = storeReason(error) ?? fileReason(code, textOf(error, "path"));
  if (reason !== undefined) {
    return new Error(
      `The data folder ${config.dataDir} cannot be used: ${reason}. ` +
        "Put that right, or name another folder: LEDGER_DATA_DIR=<folder>",
      { cause: error },
    );
  }
  if (error instanceof UnavailableError && error.reason === "unreachable") return unreachable(error);
  return isUnexplained(error) ? startupError(error.cause, config) : error;
}

/** With what the network, the resolver or the server said, which names the address. */
function unreachable({ message, cause }: UnavailableError): Error {
  const said = cause instanceof Error ? cause.message || textOf(cause, "code") : "";
  const isSaid = said === "" || message.includes(said);
  return new Error(`${message}${isSaid ? "" : ` (${said})`}`, { cause });
}

/** An error of the store whose cause says more than itself. */
function isUnexplained(error: Error): boolean {
  return (
    error.cause instanceof Error &&
    explainStoreError(error.cause) !== undefined &&
    !error.message.includes(error.cause.message)
  );
}

/** The reason of an embedded store: a server of its own is none of the data folder. */
function storeReason(error: Error): string | undefined {
  const explained = explainStoreError(error);
  if (explained !== undefined) return explained;
  if (!(error instanceof UnavailableError) || error.reason === "unreachable") return undefined;
  const text = textOfReason(error.reason);
  return error.message === text ? text : `${error.message} (${text})`;
}

function fileReason(code: string, path: string): string | undefined {
  return path === "" ? undefined : reasons.get(code)?.replace("PATH", path);
}

/** Advice for errors with which the database server ends a start, by their code (SQLSTATE). */
const adviceByState: ReadonlyMap<string, string> = new Map([
  ["3D000", "Create that database as docs/postgresql.md says, or correct LEDGER_DATABASE_URL"],
  ["28P01", "Correct the password in LEDGER_DATABASE_URL"],
  ["28000", "Correct the user in LEDGER_DATABASE_URL, or what pg_hba.conf of the server lets in"],
  ["42501", "The user needs to own the database, or the right to create tables in it: docs/postgresql.md"],
]);

const reasons: ReadonlyMap<string, string> = new Map([
  ["EACCES", "PATH is not accessible to this user"],
  ["EPERM", "PATH is not accessible to this user"],
  ["EROFS", "PATH is on a file system that is read-only"],
  ["EEXIST", "PATH is a file"],
  ["ENOTDIR", "PATH leads through a file"],
  ["ENOSPC", "no space is left for PATH"],
  ["EDQUOT", "no space is left for PATH"],
]);

function portTaken(error: Error, { endpoints }: Config): string {
  const ports = [...endpoints.values()].map(({ port }) => port);
  const twice = ports.find((port, at) => port !== 0 && ports.indexOf(port) !== at);
  if (twice !== undefined) {
    return (
      `Two interfaces are to listen on port ${twice}. ` +
      "Give each its own: PORT=9080 OPERATOR_PORT=9081 npm start"
    );
  }
  const port = "port" in error ? String(error.port) : ports.join(" or ");
  return (
    `Port ${port} is taken by another program. ` +
    "Stop it, or choose others: PORT=9080 OPERATOR_PORT=9081 npm start"
  );
}

function textOf(error: Error, name: "code" | "path"): string {
  const value: unknown = new Map<string, unknown>(Object.entries(error)).get(name);
  return typeof value === "string" ? value : "";
}

/** The operating system's reason why a file cannot be read, in words: `cannot be read: it does not exist`. */
export function unreadable(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const message = messageOf(error);
  return `cannot be read: ${unreadableReasons.get(code) ?? message}`;
}

const unreadableReasons: ReadonlyMap<string, string> = new Map([
  ["ENOENT", "it does not exist"],
  ["EACCES", "this user may not read it"],
  ["EISDIR", "it is a folder"],
]);

/** A mistake in what the operator gave: nothing was done or called. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
