import { createHash } from "node:crypto";
import pg from "pg";
import type { ConnectionOptions } from "../common/adapter.ts";
import type { PgValue } from "./dialect.ts";
import { declaredFault } from "./errors.ts";

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

export function createConnections(url: string, options: ConnectionOptions): Connections {
  const pool = new pg.Pool({
    connectionString: url,
    max: options.poolSize,
    connectionTimeoutMillis: options.connectTimeoutMs,
    statement_timeout: options.statementTimeoutMs,
    idle_in_transaction_session_timeout: idleTransactionMs,
    application_name: "ledger-rpc",
    options: serverOptions,
    keepAlive: true,
    pipeline: true,
    allowExitOnIdle: true,
  });
  pool.on("error", ignored);

  return {
    session: async () => {
      try {
        return sessionOver(await pool.connect());
      } catch (error) {
        throw declaredFault(error);
      }
    },
    close: () => pool.end(),
  };
}

const names = new Map<string, string>();

/** The same text has the same name on every connection. */
function nameOf(sql: string): string {
  const known = names.get(sql) ?? createHash("sha256").update(sql).digest("hex").slice(0, 32);
  names.set(sql, known);
  return known;
}

/** What breaks is reported by the question under way, or replaced by the next. */
function ignored(): void {}

function sessionOver(client: pg.PoolClient): Session {
  client.on("error", ignored);
  const ask = async (sql: string, values: readonly PgValue[], name?: string) => {
    try {
      return await client.query<PgValue[]>({
        text: sql,
        values: [...values],
        rowMode: "array",
        types: asText,
        ...(name !== undefined && { name }),
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
      client.off("error", ignored);
      client.release(error !== undefined);
    },
  };
}
