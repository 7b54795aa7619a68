import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readKeyFile, sealer, sealKeyFile } from "../../runtime/operations/system/index.ts";
import { startPostgres } from "../postgres/postgres-server.ts";
import { patienceMs, until } from "../until.ts";
import { contractClient } from "./contract-client.ts";
import { rawCaller } from "./raw-caller.ts";
import { startServer } from "./server.ts";

/** What a service may find at its start after its receivers, or itself, were away for long. */
const stored = { subscriptions: 3_000, deliveries: 1_000_000, mails: 100_000, events: 100_000 };
/** From the beginning of a start until it has answered a hundred calls, on a usual machine. */
const answersWithinMs = 60_000;
const small = { NODE_OPTIONS: "--max-old-space-size=256" };

const folder = mkdtempSync(join(tmpdir(), "ledger-start-full-"));
/** The receiver of every subscription, which keeps nothing. */
const receiver = createServer((request, response) => {
  request.resume();
  request.on("end", () => response.writeHead(204).end());
});
beforeAll(() => once(receiver.listen(0, "127.0.0.1"), "listening"));
afterAll(() => {
  receiver.close();
  receiver.closeAllConnections();
  rmSync(folder, { recursive: true });
});

interface Database {
  readonly env: Record<string, string>;
  /** A table `n` of the numbers 1 to `count`, in a column `i`. */
  numbers(count: number): string;
  /** Gives the first value, where there is one. */
  execute(sql: string): Promise<unknown>;
  close(): Promise<void>;
}

describe.each([
  ["SQLite", sqlite],
  ["PostgreSQL", postgres],
])("a start over %s, in a small heap, answers within a minute", (name, open) => {
  const dataDir = join(folder, name);
  let database: Database;
  beforeAll(async () => {
    database = await open(dataDir);
    await fill(dataDir, database);
  });
  afterAll(() => database.close());

  test("however many deliveries are due, and mails and events wait", async () => {
    await addEvents(database, `'["no account"]'`);
    await startAndCall(dataDir, database);
  });

  test("and however many subscriptions each event goes to", async () => {
    await addEvents(database, "group_id");
    await startAndCall(dataDir, database);
  });
});

async function startAndCall(dataDir: string, { env, execute }: Database): Promise<void> {
  const beganAt = performance.now();
  const server = await startServer(dataDir, { ...env, ...small });
  try {
    const { baseUrl, samples } = server.access;
    await until(async () => (await fetch(`${baseUrl}/readyz`)).status === 200);
    const call = rawCaller(baseUrl, server.access);
    for (let times = 0; times < 100; times += 1)
      expect(await call("AccountService.GetAccount", { ID: samples.accountId })).toMatchObject({
        status: 200,
      });
    expect(performance.now() - beganAt).toBeLessThan(answersWithinMs);
    const left = "SELECT count(*) FROM outbox_events";
    await until(async () => {
      const { exitCode, signalCode } = server.child;
      expect({ exitCode, signalCode }).toEqual({ exitCode: null, signalCode: null });
      return Number(await execute(left)) < stored.events;
    });
  } finally {
    await server.stop();
  }
}

/** Has the service make one of each, and multiplies it. */
async function fill(dataDir: string, { env, numbers, execute }: Database): Promise<void> {
  const address = receiver.address();
  if (address === null || typeof address === "string") throw new Error("the receiver does not listen");
  const server = await startServer(dataDir, env);
  const { userName, apiKey, keyId, privateKeyPem, samples, baseUrl } = server.access;
  const client = contractClient(baseUrl, { userName, apiKey, keyId, privateKeyPem });
  const made = await client.flat({
    name: "first",
    callbackUrl: `http://127.0.0.1:${address.port}/`,
    events: ["Account.UPDATE"],
    groupId: [samples.accountNumber],
  });
  client.close();
  expect(made.error).toBeUndefined();
  await server.stop();
  const nowMs = Date.now();
  const copied =
    "institution_id, user_name, name, callback_url, events, group_id, secret_sealed, enabled, created_at, updated_at, ordered, revision";
  const eventCount = Math.ceil(stored.deliveries / stored.subscriptions);
  const mail = sealer(readKeyFile(sealKeyFile(dataDir))).seal(
    JSON.stringify({ to: "a@example.com", subject: "A mail", text: "x".repeat(500) }),
  );
  await execute(
    `INSERT INTO subscriptions (id, ${copied}) SELECT 's' || n.i, ${copied.replace("name, callback", "'copy', callback")} ` +
      `FROM ${numbers(stored.subscriptions)}, ${first}`,
  );
  await execute(
    "INSERT INTO subscription_topics (institution_id, subscription_id, topic, topic_group, lane) " +
      `SELECT s.institution_id, s.id, a.topic, a.topic_group, s.user_name FROM subscriptions s, subscription_topics a, ${first} ` +
      "WHERE s.name = 'copy' AND a.subscription_id = f.id",
  );
  await execute(
    `INSERT INTO events (id, ${eventColumns}, relayed_at) SELECT 'e' || n.i, institution_id, ${eventOf("group_id")}, ${nowMs} ` +
      `FROM ${numbers(eventCount)}, ${first}`,
  );
  await execute(
    "INSERT INTO deliveries (id, institution_id, subscription_id, event_id, event_name, topics, sequence, state, attempts, failures, due_at, created_at) " +
      "SELECT s.id || e.id, s.institution_id, s.id, e.id, e.name, e.topics, " +
      `1, 'PENDING', 0, 0, ${nowMs}, ${nowMs} FROM events e, subscriptions s WHERE s.name = 'copy'`,
  );
  await execute(
    `INSERT INTO outbox_mails (id, kind, state, message_sealed, attempts, failures, next_attempt_at, created_at) SELECT 'm' || n.i, 'unknown', 'PENDING', '${mail}', 0, 0, ${nowMs}, ${nowMs} ` +
      `FROM ${numbers(stored.mails)}`,
  );
}

const first = "(SELECT * FROM subscriptions WHERE name = 'first') AS f";
const eventColumns = "institution_id, name, source, topics, topic_group, payload_json, created_at";
const eventOf = (accountNumbers: string): string =>
  `'Account.UPDATE', 'ledger', ${accountNumbers}, 'c', '{"number":"1"}', ${Date.now()}`;

/** Replaces the events in the outbox by others of these accounts. */
async function addEvents({ numbers, execute }: Database, accountNumbers: string): Promise<void> {
  await execute("DELETE FROM outbox_events");
  await execute(
    `INSERT INTO outbox_events (sequence, id, ${eventColumns}) ` +
      `SELECT 1000000000000000 + n.i, 'o' || n.i, institution_id, ${eventOf(accountNumbers)} ` +
      `FROM ${numbers(stored.events)}, ${first}`,
  );
}

async function sqlite(dataDir: string): Promise<Database> {
  return {
    env: {},
    numbers: (count) =>
      `(WITH RECURSIVE r (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r WHERE i < ${count}) SELECT i FROM r) AS n`,
    execute: async (sql) => {
      const database = new DatabaseSync(join(dataDir, "ledger.sqlite"), { timeout: patienceMs });
      const row = database.prepare(sql).get();
      database.close();
      return Object.values(row ?? {})[0];
    },
    close: async () => undefined,
  };
}

async function postgres(): Promise<Database> {
  const server = await startPostgres();
  await server.execute("CREATE DATABASE ledger");
  const url = server.url("ledger");
  return {
    env: { LEDGER_DATABASE_URL: url },
    numbers: (count) => `generate_series(1, ${count}) AS n (i)`,
    execute: async (sql) => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      const { rows } = await client.query<unknown[]>({ text: sql, rowMode: "array" });
      await client.end();
      return rows[0]?.[0];
    },
    close: () => server.close(),
  };
}
