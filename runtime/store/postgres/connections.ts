import pg from "pg";
import { createHash } from "node:crypto";
import { omitUndefined } from "../../contract/index.ts";
import { UnavailableError } from "../ports/index.ts";
import { type ConnectionOptions, StoreOpenError } from "../common/adapter.ts";
import type { PgValue } from "./dialect.ts";
import { declaredFault, isFull } from "./errors.ts";
import type { Duplex } from "node:stream";
import { TLSSocket } from "node:tls";

export type PgRow = readonly PgValue[];

/** One connection. Questions that are asked without waiting travel together and are answered in order. */
export interface Session {
  rows(sql: string, values: readonly PgValue[]): Promise<readonly PgRow[]>;
  /** As `rows`, for texts that depend on a caller's input: nothing stays prepared. */
  rowsOnce(sql: string, values: readonly PgValue[]): Promise<readonly PgRow[]>;
  /** Executes a change; returns the number of rows it touched. */
  change(sql: string, values: readonly PgValue[]): Promise<number>;
  /** Executes a statement without values; returns the command that the server completed. */
  execute(sql: string): Promise<string>;
  /** Gives the connection back; with an error, ends it. */
  release(error?: unknown): void;
}

/** Connections to one database, opened when they are needed. */
export interface Connections {
  session(): Promise<Session>;
  close(): Promise<void>;
}

const asText = { getTypeParser: () => (text: string) => text };
/** A connection that a network swallowed is found out, and one that its process forgot gives its locks back. */
const idleTransactionMs = 60_000;
/** A sequential scan would make a serializable transaction conflict with every other one of the table. */
const serverOptions = "-c enable_seqscan=off -c jit=off";

/** How much of a statement's time it may wait for a lock. */
const lockShare = 0.5;

/** Time for an answer beyond the statement's: after that the server or the network counts as lost. */
const answerMsMax = 5_000;

/** Connections to the one of the URL's servers that takes writes: after a failover, to another one than before. */
export function createConnections(url: string, options: ConnectionOptions): Connections {
  const servers = serversOf(url);
  const isOneOfSeveral = servers.length > 1;
  const newPool = (server: number): pg.Pool => poolOf(servers[server] ?? url, options, isOneOfSeveral);
  let retired: readonly pg.Pool[] = [];
  let current = { server: 0, pool: newPool(0) };

  /** Idle connections to a server that is gone are not used any more: each would have to be waited for. */
  function leave(pool: pg.Pool): void {
    if (pool !== current.pool) return;
    const server = (current.server + 1) % servers.length;
    current = { server, pool: newPool(server) };
    for (const former of retired) if (former.totalCount === 0) void former.end();
    retired = [...retired.filter(({ ending }) => !ending), pool];
  }

  async function connect(): Promise<Session> {
    let failure: unknown;
    for (const _server of servers) {
      const { pool } = current;
      try {
        return sessionOver(await pool.connect(), (fault) => {
          if (fault.reason === "unreachable" || (isOneOfSeveral && fault.reason === "read-only")) leave(pool);
        });
      } catch (error) {
        failure = declaredFault(error);
        const mayOthersHelp = isOneOfSeveral && failure instanceof UnavailableError && !isFull(error);
        if (!mayOthersHelp) throw failure;
        leave(pool);
      }
    }
    throw failure;
  }

  return {
    session: connect,
    close: async () => {
      await Promise.all([current.pool, ...retired].map((pool) => pool.end()));
    },
  };
}

function poolOf(server: string, options: ConnectionOptions, isOneOfSeveral: boolean): pg.Pool {
  const { statementTimeoutMs } = options;
  const pool = new pg.Pool({
    connectionString: server,
    Client: GuardedClient,
    max: options.poolSize,
    connectionTimeoutMillis: options.connectTimeoutMs,
    statement_timeout: statementTimeoutMs,
    // Sooner, so that a lock that is held is told from a statement that is slow.
    lock_timeout: options.lockWaitMs ?? statementTimeoutMs * lockShare,
    // The server of a machine that lost its power or its network ends nothing.
    ...omitUndefined({
      query_timeout: statementTimeoutMs > 0 ? statementTimeoutMs + answerMsMax : undefined,
    }),
    idle_in_transaction_session_timeout: idleTransactionMs,
    application_name: "ledger-rpc",
    options: serverOptions,
    keepAlive: true,
    pipeline: true,
    allowExitOnIdle: true,
    ...omitUndefined({ verify: isOneOfSeveral ? verify : undefined }),
  });
  pool.on("error", ignored);
  // For the life of a connection: the pool listens to idle ones alone, and an error that nothing hears ends the process.
  pool.on("connect", (client) => client.on("error", ignored));
  return pool;
}

async function verify(client: pg.PoolClient, done: (error?: Error) => void): Promise<void> {
  try {
    await requirePrimary(client);
    done();
  } catch (error) {
    done(error instanceof Error ? error : new Error(String(error)));
  }
}

/** Refuses a connection to a standby. Each connection asks, so that a promotion is noticed. */
async function requirePrimary(client: pg.PoolClient): Promise<void> {
  const { rows } = await client.query<PrimaryRow>("SHOW transaction_read_only");
  if (rows[0]?.transaction_read_only === "off") return;
  throw new UnavailableError("read-only", { message: standbyText });
}

interface PrimaryRow {
  readonly transaction_read_only: string;
}

const standbyText = "none of the servers of LEDGER_DATABASE_URL takes writes: is one of them promoted?";

const names = new Map<string, string>();

/** The same text has the same name on every connection. */
function nameOf(sql: string): string {
  const known = names.get(sql) ?? createHash("sha256").update(sql).digest("hex").slice(0, 32);
  names.set(sql, known);
  return known;
}

/** Ignores the event: a broken connection is reported by the query under way, or replaced by the next. */
function ignored(): void {}

function sessionOver(client: pg.PoolClient, onFault: (fault: UnavailableError) => void): Session {
  const ask = async (sql: string, values: readonly PgValue[], name?: string) => {
    try {
      return await client.query<PgValue[]>({
        text: sql,
        values: [...values],
        rowMode: "array",
        types: asText,
        ...omitUndefined({ name }),
      });
    } catch (error) {
      throw declaredFault(error);
    }
  };
  return {
    rows: async (sql, values) => (await ask(sql, values, nameOf(sql))).rows,
    rowsOnce: async (sql, values) => (await ask(sql, values)).rows,
    change: async (sql, values) => (await ask(sql, values, nameOf(sql))).rowCount ?? 0,
    execute: async (sql) => (await ask(sql, [])).command,
    release: (error) => {
      client.release(error !== undefined);
      if (error instanceof UnavailableError) onFault(error);
    },
  };
}

const attributesTaken: readonly string[] = ["read-write", "primary"];

/**
 * One URL for each server of a URL that names several, as libpq writes them: `postgres://user@one:5432,two/ledger`. The
 * driver knows one server a URL.
 */
export function serversOf(url: string): readonly string[] {
  const [, scheme = "", user = "", hosts = "", rest = ""] =
    /^(\w+:\/\/)([^@/?]*@)?([^/?]*)(.*)$/s.exec(url) ?? [];
  const [path = "", search = ""] = rest.split(/\?(.*)/s);
  const parameters = new URLSearchParams(search);
  const wanted = parameters.get("target_session_attrs") ?? "read-write";
  if (!attributesTaken.includes(wanted)) {
    throw new StoreOpenError(
      `LEDGER_DATABASE_URL: target_session_attrs is ${wanted}, and the service needs a server that takes writes: ` +
        `write ${attributesTaken.join(" or ")}, or leave it out`,
    );
  }
  if (!hosts.includes(",")) return [url];
  parameters.delete("target_session_attrs");
  const query = parameters.size === 0 ? "" : `?${parameters}`;
  return hosts.split(",").map((host) => `${scheme}${user}${host}${path}${query}`);
}

/**
 * A connection that proves its password by SCRAM. A server that asks for the password itself, or for its MD5 hash,
 * gets it over verified TLS or a Unix socket only. An impostor would learn it otherwise.
 */
export class GuardedClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    const { connection } = this;
    const guard = (): void => {
      const { stream } = connection;
      const isVerified = stream instanceof TLSSocket && stream.authorized;
      if (isVerified || this.host.startsWith("/")) return;
      // The driver asks for a password that is a function when it needs it, and reports what that rejects with.
      Object.assign(this, { password: refusePassword });
    };
    // Heard before the driver's own listeners, which are added when it connects.
    connection.on("authenticationCleartextPassword", guard);
    connection.on("authenticationMD5Password", guard);
    guardReading(connection);
    // After an error of its own the driver leaves the connection open, and a process waits for the server to end it.
    connection.on("error", () => connection.stream.destroy());
  }
}

/**
 * The driver reads messages in a listener of its own, and throws for one that it cannot read: that would end the process. It
 * fails the connection instead.
 */
function guardReading(connection: pg.Connection): void {
  const attach: unknown = Reflect.get(connection, "attachListeners");
  if (typeof attach !== "function") throw new Error("the driver attaches its listeners otherwise");
  const attachListeners = (stream: Duplex): void => {
    const on = (event: string, listener: (chunk?: Buffer) => void): void => {
      const read = (chunk?: Buffer): void => {
        try {
          listener(chunk);
        } catch (error) {
          stream.destroy(error instanceof Error ? error : new Error(String(error)));
        }
      };
      stream.on(event, read);
    };
    Reflect.apply(attach, connection, [{ on }]);
  };
  Object.assign(connection, { attachListeners });
}

function refusePassword(): Promise<string> {
  return Promise.reject(
    new UnavailableError("unreachable", {
      message:
        "The database server asks for the password in clear or as an MD5 hash, over a connection that is not verified TLS: " +
        "it was not sent. Add sslmode=verify-full to LEDGER_DATABASE_URL, or set password_encryption = scram-sha-256 on the " +
        "server, give the user's password anew, and write scram-sha-256 in its pg_hba.conf",
    }),
  );
}
