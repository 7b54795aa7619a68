/**
 * `node bench/postgres.ts [--rounds 7] [--seconds 2] [--url postgres://…/<empty database>]` compares the service with
 * the driver over one PostgreSQL server. It compares signed GetAccount with a point read, AddAccount with a
 * transaction by hand, and two processes with one. All sides of a round run in turns; each line gives the median of
 * the rounds' ratios and their spread. Load, processes and server share the machine. Each rate comes with the CPU
 * time of a call in each of them, and the end projects the ratios for busy cores.
 */
import { createPrivateKey, createPublicKey, createSign, randomUUID, sign, verify } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { pino } from "pino";
import { Pool, request } from "undici";
import { commandLine } from "./harness/command-line.ts";
import { compose } from "../runtime/server/index.ts";
import { loadConfig } from "../runtime/operations/config/index.ts";
import { startServer, type RunningServer } from "../test/e2e/server.ts";
import { startPostgres } from "../test/postgres/postgres-server.ts";
import { databaseSeconds } from "./harness/database-cpu.ts";
import { cpuSeconds } from "./harness/processes.ts";
import { recordTransaction } from "./recorded-transaction.ts";
import { application } from "../ledger/application.ts";

const { values: given } = commandLine(import.meta.filename, {
  options: {
    rounds: { type: "string", default: "7" },
    seconds: { type: "string", default: "2" },
    url: { type: "string" },
  },
});
const [rounds, milliseconds] = [Number(given.rounds), Number(given.seconds) * 1_000];
const concurrency = 16;
const privateKeys = new Map<string, ReturnType<typeof createPrivateKey>>();

const own = given.url === undefined ? await startPostgres({ fsync: true }) : undefined;
if (own !== undefined) await own.execute("CREATE DATABASE ledger");
const url = given.url ?? own?.url("ledger") ?? "";
const dataDir = mkdtempSync(join(tmpdir(), "bench-postgres-"));
const environment = {
  LEDGER_DATABASE_URL: url,
  LEDGER_DATABASE_POOL_SIZE: String(concurrency),
  LEDGER_LOG_LEVEL: "warn",
  LEDGER_RATE_PER_SECOND: "0",
};
const servers: RunningServer[] = [];
const driver = new pg.Pool({ connectionString: url, max: concurrency });
try {
  for (let count = 0; count < 2; count += 1) servers.push(await startServer(dataDir, environment));
  await bench();
} finally {
  await driver.end();
  await Promise.all(servers.map((server) => server.stop()));
  await own?.close();
  rmSync(dataDir, { recursive: true });
}

async function bench(): Promise<void> {
  const [first, second] = servers;
  if (first === undefined || second === undefined) throw new Error("two processes were started");
  const { access } = first;
  const [one, other] = servers.map((server) => new Pool(server.access.baseUrl, { connections: concurrency }));
  if (one === undefined || other === undefined) throw new Error("two processes were started");
  const { accountId, consumerCustomerId } = access.samples;
  const get = signedBody(first, "AccountService.GetAccount", { ID: accountId });
  const add = () =>
    signedBody(first, "CustomerService.AddAccount", {
      customerID: consumerCustomerId,
      name: randomUUID(),
      accountType: "SAVINGS",
      currency: "USD",
    });
  const replay = await recordedAddAccount(add);
  const { rows } = await driver.query<{ institution_id: string }>(
    "SELECT institution_id FROM accounts WHERE id = $1",
    [accountId],
  );
  const read = {
    name: "account_by_key",
    text: "SELECT * FROM accounts WHERE institution_id = $1 AND id = $2",
    values: [rows[0]?.institution_id, accountId],
  };
  const sides = {
    driverRead: async () => void (await driver.query(read)),
    getAccount: () => post(one, get),
    driverTransaction: async () => {
      const client = await driver.connect();
      try {
        await replay(client);
        client.release();
      } catch (error) {
        await client.query("ROLLBACK");
        client.release();
        if (!(error instanceof pg.DatabaseError && error.code === "40001")) throw error;
      }
    },
    addAccount: () => post(one, add()),
    getByTwo: (turn: number) => post(turn % 2 === 0 ? one : other, get),
    addByTwo: (turn: number) => post(turn % 2 === 0 ? one : other, add()),
  };
  const { rates, costs } = await measured(sides);
  const ratio = (side: string, beside: string): readonly number[] =>
    (rates.get(side) ?? []).map((rate, index) => rate / (rates.get(beside)?.[index] ?? Number.NaN));
  console.log(
    `signed GetAccount / point read of the driver (goal 0.70): ${spread(ratio("getAccount", "driverRead"), 2)}`,
  );
  console.log(
    `AddAccount / the same statements by hand (goal 0.40): ${spread(ratio("addAccount", "driverTransaction"), 2)}`,
  );
  console.log(`two processes / one, GetAccount (goal 1.7): ${spread(ratio("getByTwo", "getAccount"), 2)}`);
  console.log(`two processes / one, AddAccount (goal 1.7): ${spread(ratio("addByTwo", "addAccount"), 2)}`);
  for (const name of ["getAccount", "addAccount"]) {
    const busy = (median(rates.get(name) ?? []) * totalOf(costs.get(name) ?? noCost)) / 1_000;
    console.log(
      `with one process ${name} keeps ${busy.toFixed(2)} of ${availableParallelism()} cores busy: a second one can give ` +
        `at most ${(availableParallelism() / busy).toFixed(2)} times as many here`,
    );
  }
  const [byDriver = noCost, got = noCost] = ["driverRead", "getAccount"].map((name) => costs.get(name));
  const verifyMs = verificationMs(access.privateKeyPem);
  console.log(
    `a core verifies ${(1_000 / verifyMs).toFixed(0)} signatures a second (${verifyMs.toFixed(3)} ms each); where all cores are ` +
      `busy, GetAccount / point read is ${(totalOf(byDriver) / totalOf(got)).toFixed(2)}, and at most ` +
      `${(totalOf(byDriver) / (totalOf(byDriver) + verifyMs)).toFixed(2)} if it did nothing but read and verify`,
  );
  await Promise.all([one.close(), other.close()]);
}

/** Runs the sides in turns, and prints what each reached. */
async function measured(sides: Readonly<Record<string, (turn: number) => Promise<void>>>): Promise<{
  readonly rates: ReadonlyMap<string, readonly number[]>;
  readonly costs: ReadonlyMap<string, Cost>;
}> {
  const rates = new Map<string, number[]>(Object.keys(sides).map((name) => [name, []]));
  const costs = new Map<string, Cost>();
  for (let round = -1; round < rounds; round += 1) {
    for (const [name, side] of Object.entries(sides)) {
      const { rate, cost } = await rateOf(side);
      // The first round warms up.
      if (round < 0) continue;
      rates.get(name)?.push(rate);
      const { caller = 0, service = 0, database = 0 } = costs.get(name) ?? {};
      costs.set(name, {
        caller: caller + cost.caller / rounds,
        service: service + cost.service / rounds,
        database: database + cost.database / rounds,
      });
    }
  }
  console.log("CPU time of a call in ms: of who calls, of the service, of the database");
  for (const [name, all] of rates) {
    const { caller = 0, service = 0, database = 0 } = costs.get(name) ?? {};
    const cost = [caller, service, database].map((ms) => ms.toFixed(3).padStart(7)).join("");
    console.log(`${name.padEnd(18)} ${spread(all, 0).padEnd(24)} a second ${cost}`);
  }
  return { rates, costs };
}

/** CPU time of a call in milliseconds: of this process, of the service's processes, of the database's. */
interface Cost {
  readonly caller: number;
  readonly service: number;
  readonly database: number;
}

const noCost: Cost = { caller: 0, service: 0, database: 0 };

function totalOf({ caller, service, database }: Cost): number {
  return caller + service + database;
}

/** The time of one verification of a P-256 signature. */
function verificationMs(privateKeyPem: string): number {
  const key = createPrivateKey(privateKeyPem);
  const publicKey = createPublicKey(privateKeyPem);
  const text = Buffer.from('{"ID":"01JD0000000000000000000000"}');
  const signature = sign("sha256", text, key);
  const count = 5_000;
  const before = process.cpuUsage();
  for (let at = 0; at < count; at += 1) verify("sha256", text, publicKey, signature);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 / count;
}

/** A service in this process makes the call whose statements are recorded. */
async function recordedAddAccount(body: () => string): Promise<ReturnType<typeof recordTransaction>> {
  const config = loadConfig(application, {
    ...environment,
    LEDGER_DATA_DIR: dataDir,
    PORT: "0",
    OPERATOR_PORT: "0",
  });
  const service = await compose(application, { config, logger: pino({ level: "silent" }), migrate: false });
  const listening = await service.listen();
  const origin = listening.urls.get("ledger") ?? "";
  try {
    return await recordTransaction("accounts", async () => {
      const { statusCode, body: answer } = await request(`${origin}/jsonrpc`, options(body()));
      const text = await answer.text();
      if (statusCode !== 200) throw new Error(text);
    });
  } finally {
    await listening.close();
  }
}

function secondsSoFar(): Cost {
  const { user, system } = process.cpuUsage();
  const service = servers.reduce((sum, { child }) => sum + cpuSeconds(child), 0);
  return { caller: (user + system) / 1e6, service, database: databaseSeconds(url) };
}

/** Calls a second, `concurrency` at a time, and what one takes of the processors. */
async function rateOf(
  side: (turn: number) => Promise<void>,
): Promise<{ readonly rate: number; readonly cost: Cost }> {
  const startedAtMs = performance.now();
  const before = secondsSoFar();
  let done = 0;
  const work = async (worker: number): Promise<void> => {
    while (performance.now() - startedAtMs < milliseconds) {
      await side(worker);
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, (_, worker) => work(worker)));
  const rate = (done * 1_000) / (performance.now() - startedAtMs);
  const after = secondsSoFar();
  const ofCall = (part: keyof Cost): number => ((after[part] - before[part]) * 1_000) / done;
  return {
    rate,
    cost: { caller: ofCall("caller"), service: ofCall("service"), database: ofCall("database") },
  };
}

async function post(pool: Pool, body: string): Promise<void> {
  const { statusCode, body: answer } = await pool.request({ path: "/jsonrpc", ...options(body) });
  const text = await answer.text();
  if (statusCode !== 200) throw new Error(text);
}

function options(body: string) {
  return { method: "POST" as const, headers: { "content-type": "application/json" }, body };
}

function signedBody({ access }: RunningServer, method: string, payload: object): string {
  const { userName, apiKey, keyId, privateKeyPem } = access;
  const text = JSON.stringify(payload);
  const key = privateKeys.get(privateKeyPem) ?? createPrivateKey(privateKeyPem);
  privateKeys.set(privateKeyPem, key);
  const signature = createSign("sha256").update(text).sign(key, "base64");
  const credential = `Basic ${Buffer.from(`${userName}:${apiKey}`).toString("base64")}`;
  const api = JSON.stringify({ credential, signature, apiKey, keyId });
  return `{"method":"${method}","id":"${randomUUID()}","params":{"api":${api},"payload":${text}}}`;
}

function median(all: readonly number[]): number {
  return all.toSorted((left, right) => left - right)[all.length >> 1] ?? 0;
}

/** Median, least and greatest. */
function spread(all: readonly number[], digits: number): string {
  const sorted = all.toSorted((left, right) => left - right);
  const [least = 0, greatest = 0] = [sorted[0], sorted.at(-1)];
  return `${median(all).toFixed(digits)} (${least.toFixed(digits)} to ${greatest.toFixed(digits)})`;
}
