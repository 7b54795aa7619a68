import { randomUUID } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";

/** A migrated, empty database of the shared server. */
export interface TestDatabase {
  readonly url: string;
  execute(sql: string): Promise<readonly (readonly unknown[])[]>;
  /** Removes all records. */
  empty(): Promise<void>;
  /** Empties it, and lets others use it. */
  dispose(): Promise<void>;
}

/** Emptied ones, to be used again: making one costs more than emptying it. */
const idle: string[] = [];

export async function testDatabase(): Promise<TestDatabase> {
  const url = idle.pop() ?? (await created(` TEMPLATE ${inject("postgresTemplate")} STRATEGY file_copy`));
  return {
    ...databaseAt(url),
    dispose: async () => {
      await emptied(url);
      idle.push(url);
    },
  };
}

/** A database without tables. */
export async function emptyDatabase(): Promise<TestDatabase> {
  return { ...databaseAt(await created("")), dispose: () => Promise.resolve() };
}

function databaseAt(url: string): Omit<TestDatabase, "dispose"> {
  return { url, execute: (sql) => executed(url, sql), empty: () => emptied(url) };
}

async function created(like: string): Promise<string> {
  const name = `ledger_${randomUUID().replaceAll("-", "")}`;
  await executed(`${inject("postgresUrl")}postgres`, `CREATE DATABASE ${name}${like}`);
  return `${inject("postgresUrl")}${name}`;
}

/** One connection for each database: tests empty theirs after every case. */
const clients = new Map<string, Promise<pg.Client>>();

function clientOf(url: string): Promise<pg.Client> {
  const connecting = clients.get(url) ?? connected(url);
  clients.set(url, connecting);
  return connecting;
}

async function executed(url: string, sql: string): Promise<readonly (readonly unknown[])[]> {
  const client = await clientOf(url);
  const { rows } = await client.query<unknown[]>({ text: sql, rowMode: "array" });
  return rows;
}

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}

/** The statement that empties all tables of a database: prepared once, it takes a tenth of one for each table. */
const emptying = new Map<string, string>();

async function emptied(url: string): Promise<void> {
  const text = emptying.get(url) ?? (await emptyingOf(url));
  emptying.set(url, text);
  const client = await clientOf(url);
  // Records refer to each other.
  await client.query("BEGIN; SET LOCAL session_replication_role = replica");
  await client.query({ name: "empty", text });
  await client.query("UPDATE audit_numbers SET last = 0; COMMIT");
}

async function emptyingOf(url: string): Promise<string> {
  const kept = "('migrations', 'audit_numbers', 'gate')";
  const tables = await executed(
    url,
    `SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename NOT IN ${kept}`,
  );
  const parts = tables.map(([table]) => `${String(table)}_emptied AS (DELETE FROM ${String(table)})`);
  return `WITH ${parts.join(", ")} SELECT`;
}
