import pg from "pg";
import type { TestProject } from "vitest/node";
import { migrateStore } from "../bank-stores.ts";
import { optionsUnderTest } from "../store-contract/openers.ts";
import { until } from "../until.ts";
import { startPostgres, type PostgresServer } from "./postgres-server.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** URL of the server that all files of the project share, without a database. */
    readonly postgresUrl: string;
    /** Its database that others are copied from: migrated, and empty. */
    readonly postgresTemplate: string;
  }
}

const template = "ledger_template";

/** One server for all files of the project `postgres`. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres();
  await makeTemplate(server);
  project.provide("postgresUrl", server.url(""));
  project.provide("postgresTemplate", template);
  return () => server.close();
}

/** To copy it takes a quarter of the processor time of all migrations. */
async function makeTemplate(server: PostgresServer): Promise<void> {
  await server.execute(`CREATE DATABASE ${template}`);
  await migrateStore(server.url(template), optionsUnderTest);
  const client = new pg.Client({ connectionString: server.url("postgres") });
  await client.connect();
  // A database that somebody is connected to is not copied, and the server ends connections after they are closed.
  const sessions = `SELECT FROM pg_stat_activity WHERE datname = '${template}'`;
  await until(async () => (await client.query(sessions)).rowCount === 0);
  await client.end();
}
