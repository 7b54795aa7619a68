import { randomUUID } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";
import { migrateStore } from "../../runtime/storage/index.ts";
import { optionsUnderTest } from "../store-contract/openers.ts";

/** A migrated, empty database of the shared server. */
export interface TestDatabase {
  readonly url: string;
  execute(sql: string): Promise<readonly (readonly unknown[])[]>;
  dispose(): Promise<void>;
}

/** Emptied ones, to be used again: making one costs more than emptying it. */
const idle: string[] = [];

export async function testDatabase(): Promise<TestDatabase> {
  const url = idle.pop() ?? (await created());
  return {
    url,
    execute: (sql) => executed(url, sql),
    dispose: async () => {
      await executed(url, emptySql);
      idle.push(url);
    },
  };
}

/** A database without tables. */
export async function emptyDatabase(): Promise<TestDatabase> {
  const url = await createdEmpty();
  return { url, execute: (sql) => executed(url, sql), dispose: () => Promise.resolve() };
}

async function created(): Promise<string> {
  const url = await createdEmpty();
  await migrateStore(url, optionsUnderTest);
  return url;
}

async function createdEmpty(): Promise<string> {
  const name = `ledger_${randomUUID().replaceAll("-", "")}`;
  await executed(`${inject("postgresUrl")}postgres`, `CREATE DATABASE ${name}`);
  return `${inject("postgresUrl")}${name}`;
}

/** One connection for each database: tests empty theirs after every case. */
const clients = new Map<string, Promise<pg.Client>>();

async function executed(url: string, sql: string): Promise<readonly (readonly unknown[])[]> {
  const connecting = clients.get(url) ?? connected(url);
  clients.set(url, connecting);
  const client = await connecting;
  const { rows } = await client.query<unknown[]>({ text: sql, rowMode: "array" });
  return rows;
}

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}

const emptySql = `DO $$ DECLARE emptied TEXT; BEGIN
  SET CONSTRAINTS ALL DEFERRED;
  SET LOCAL session_replication_role = replica;
  FOR emptied IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename NOT IN ('migrations', 'audit_numbers', 'gate') LOOP
    EXECUTE 'DELETE FROM ' || emptied;
  END LOOP;
  UPDATE audit_numbers SET last = 0;
END $$`;
