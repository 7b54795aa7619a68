/**
 * `npm run postgres:failover [-- --frozen|--patroni]`: two processes of the service over a primary and a standby that
 * commits wait for. The primary is killed under load, or frozen like a machine without power or network, and the
 * standby is promoted. With `--patroni`, there are two standbys, and Patroni promotes one. Ends with an error unless
 * every acknowledged account exists and every other answer was UNAVAILABLE with `Retry-After`. Writes must resume
 * within 5 s after the promotion (10 s after a freeze).
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { verifyStore } from "../bank-stores.ts";
import { rawCaller, type RawAnswer } from "../e2e/raw-caller.ts";
import { startServer, type RunningServer } from "../e2e/server.ts";
import { startPatroni, type Cluster } from "./patroni.ts";
import { newFolder, startOver, type PostgresFolder } from "./postgres-server.ts";

const writersOfEach = 4;
const { values } = parseArgs({
  options: {
    frozen: { type: "boolean", default: false },
    patroni: { type: "boolean", default: false },
  },
});
const recoveryMsMax = values.frozen ? 10_000 : 5_000;
/** How long the primary is away before anybody promotes the standby. */
const gapMs = 2_000;

const cluster = values.patroni ? await startPatroni() : await startPair();
const dataDir = mkdtempSync(join(tmpdir(), "ledger-failover-"));
const servers: RunningServer[] = [];
try {
  const environment = {
    LEDGER_DATABASE_URL: cluster.url,
    LEDGER_DATABASE_CONNECT_TIMEOUT_MS: "2000",
    LEDGER_DATABASE_STATEMENT_TIMEOUT_MS: "2000",
  };
  for (let count = 0; count < 2; count += 1) servers.push(await startServer(dataDir, environment));
  await failOver();
  const verification = await verifyStore(cluster.url, {});
  assert.ok(verification.isSound, JSON.stringify(verification.findings));
} finally {
  await Promise.all(servers.map((server) => server.stop()));
  await cluster.close();
  rmSync(dataDir, { recursive: true });
}

/** A primary and its standby, which is promoted some time after the primary is gone. */
async function startPair(): Promise<Cluster> {
  const primaryFolder = await newFolder();
  const folder = `${primaryFolder.folder}-standby`;
  const standbyFolder = { ...primaryFolder, folder, data: join(folder, "data") };
  execFileSync("cp", ["-a", primaryFolder.folder, standbyFolder.folder]);
  writeFileSync(join(standbyFolder.data, "standby.signal"), "");
  const settings = { fsync: "on", synchronous_commit: "on", wal_keep_size: "1GB" };
  const primary = await startOver(primaryFolder, { ...settings, synchronous_standby_names: "*" });
  const source = new URL(primary.url("postgres"));
  const standby = await startOver(standbyFolder, {
    ...settings,
    primary_conninfo: `host=${source.hostname} port=${source.port} user=${source.username}`,
  });
  await primary.execute("CREATE DATABASE ledger");
  const { host } = new URL(standby.url(""));
  return {
    url: `${primary.url("").slice(0, -1)},${host}/ledger?target_session_attrs=read-write`,
    fail: async () => (values.frozen ? signalAll(primaryFolder, "SIGSTOP") : primary.kill()),
    promoted: async () => {
      await sleep(gapMs);
      await standby.execute("SELECT pg_promote()");
    },
    close: async () => {
      if (values.frozen) signalAll(primaryFolder, "SIGCONT");
      await primary.close();
      await standby.close();
    },
  };
}

/** To a server and the processes of its connections. */
function signalAll({ data }: PostgresFolder, signal: NodeJS.Signals): void {
  const [pid = ""] = readFileSync(join(data, "postmaster.pid"), "utf8").split("\n");
  const children = execFileSync("ps", ["-o", "pid=", "--ppid", pid], { encoding: "utf8" });
  for (const each of [pid, ...children.trim().split(/\s+/)]) process.kill(Number(each), signal);
}

interface Written {
  readonly server: number;
  readonly name: string;
  readonly atMs: number;
  readonly answer: RawAnswer;
}

async function failOver(): Promise<void> {
  const written: Written[] = [];
  const over = new AbortController();
  const acknowledged = () => written.filter(({ answer }) => answer.code === undefined);
  const writing = servers.flatMap((server, index) =>
    Array.from({ length: writersOfEach }, (_, writer) => write(server, index, `${index}-${writer}`)),
  );
  await until(() => acknowledged().length > 100, "a hundred accounts before the failover");
  await cluster.fail();
  const killedAtMs = performance.now();
  await cluster.promoted();
  const promotedAtMs = performance.now();
  const firstOf = (server: number) =>
    acknowledged().find((each) => each.server === server && each.atMs > promotedAtMs)?.atMs;
  await until(() => firstOf(0) !== undefined && firstOf(1) !== undefined, "writes by both processes");
  await until(() => acknowledged().length > 300, "a hundred accounts after the failover");
  over.abort();
  await Promise.all(writing);

  const refused = written.filter(({ answer }) => answer.code !== undefined);
  assert.ok(refused.length > 0, "the gap was noticed");
  for (const { answer } of refused) {
    const { status, code, retryAfter } = answer;
    assert.deepEqual({ status, code }, { status: 503, code: "UNAVAILABLE" });
    assert.match(String(retryAfter), /^\d+$/);
  }
  for (const [index, { name, answer }] of acknowledged().entries()) {
    const found = await call(index % 2)("AccountService.GetAccount", { ID: answer.json.result.ID });
    assert.equal(found.json.result?.account.name, name, `account ${answer.json.result.ID} of ${name}`);
  }
  const recoveries = [0, 1].map((server) => Math.round((firstOf(server) ?? Infinity) - promotedAtMs));
  console.log(
    `${acknowledged().length} acknowledged accounts are all there; ${refused.length} answers were UNAVAILABLE in ` +
      `${Math.round(promotedAtMs - killedAtMs)} ms without a primary; processes wrote again ${recoveries.join(" and ")} ms ` +
      "after the promotion",
  );
  assert.ok(Math.max(...recoveries) < recoveryMsMax, `recovery takes less than ${recoveryMsMax} ms`);

  async function write(server: RunningServer, index: number, writer: string): Promise<void> {
    for (let count = 0; !over.signal.aborted; count += 1) {
      const name = `Failover ${writer} ${count}`;
      const answer = await call(index)("CustomerService.AddAccount", {
        customerID: server.access.samples.consumerCustomerId,
        name,
        accountType: "SAVINGS",
        currency: "USD",
      });
      written.push({ server: index, name, atMs: performance.now(), answer });
      // A refused caller waits less than it is asked to: more calls meet the gap.
      if (answer.code !== undefined) await sleep(50);
    }
  }
}

function call(index: number): ReturnType<typeof rawCaller> {
  const server = servers[index];
  if (server === undefined) throw new Error(`there is no process ${index}`);
  return rawCaller(server.access.baseUrl, server.access);
}

async function until(isTrue: () => boolean, what: string): Promise<void> {
  const endsAtMs = performance.now() + 120_000;
  while (!isTrue()) {
    assert.ok(performance.now() < endsAtMs, `two minutes went by without ${what}`);
    await sleep(5);
  }
}
