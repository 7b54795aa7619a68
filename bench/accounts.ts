import { fork, spawn, spawnSync, type ChildProcess } from "node:child_process";
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, setPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { commandLine } from "./harness/command-line.ts";
import { accountIdAt } from "./accounts/plan.ts";
import { bankUsers } from "./accounts/users.ts";
import { buildBank } from "./accounts/build.ts";
import { startPostgres } from "../test/postgres/postgres-server.ts";
import {
  busyTransactionsOf,
  callsOf,
  pointCallsOf,
  signedCaller,
  type Call,
  type SignedCaller,
} from "./accounts/calls.ts";
import type { HostileSettings } from "./accounts/hostile.ts";
import { GuardedClient } from "../runtime/store/postgres/connections.ts";

/**
 * The cost of lists and filters in a large bank beside a small one, and what they do to others:
 *
 *     node bench/accounts.ts [--small 10000] [--large 1000000] [--calls 60] [--folder <kept>] [--engine postgres]
 *       [--only <regular expression of names>] [--part lists|others|build] [--rounds 3]
 *
 * 1. Every list and filter over HTTP, signed, by one caller: p50 and p99 in both banks, and the ratio of the p99. The
 *    banks take turns, so that a change of the machine's pace meets both. A list that ends at its bound
 *    (docs/filter.md) says so. With `--at` in banks that bench/bank.ts made, of as many accounts as is said, with one
 *    posting or more an account: GetAccount and GetTransactionsByRef, too.
 * 2. GetAccount by one caller, idle and while 8 callers of another process list and filter. It takes turns with the
 *    ideal (accounts/ideal.ts): bare `node:http`, `crypto.verify` and as many computing threads. `waits` is how long
 *    the thread that answers was ready to run and did not: others had the processors.
 *
 * Both servers run `ledger-server serve` over synthetic banks. The banks are made first (a minute for a million
 * accounts) and kept if a folder is named. On a busy machine the figures of part 2 are the machine's.
 */

const { values } = commandLine(import.meta.filename, {
  options: {
    small: { type: "string", default: "10000" },
    large: { type: "string", default: "1000000" },
    calls: { type: "string", default: "60" },
    folder: { type: "string" },
    rounds: { type: "string", default: "3" },
    part: { type: "string", default: "both" },
    engine: { type: "string", default: "sqlite" },
    only: { type: "string", default: "" },
    at: { type: "string" },
  },
});
const apiKey = "00112233445566778899aabbccddeeff";
const hostileCallers = 8;
const otherCalls = 1_200;
const pauseMs = 2;
const firstPort = 18_180;

/** The times of calls, and how late the measuring caller itself was woken after each: the machine's part in that. */
interface Others {
  readonly times: readonly number[];
  readonly late: readonly number[];
  /** How long the answering thread waited for a processor, as a share of the elapsed time. */
  readonly waitedMs: number;
  readonly tookMs: number;
}

interface Contestant {
  readonly accounts: number;
  readonly url: string;
  readonly child: ChildProcess;
  readonly call: SignedCaller;
}

interface Bank extends Contestant {
  readonly operatorCall: SignedCaller;
}

const folder = values.folder ?? mkdtempSync(join(tmpdir(), "bench-accounts-"));
mkdirSync(folder, { recursive: true });
const running: ChildProcess[] = [];
const [smallUrl, largeUrl] = values.at?.split(",") ?? [];
const server = values.engine === "postgres" && values.at === undefined ? await startPostgres() : undefined;
try {
  const key = keyIn(folder);
  const small = await openBank(Number(values.small), key, firstPort, smallUrl);
  const large = await openBank(Number(values.large), key, firstPort + 2, largeUrl);
  if (values.part === "both" || values.part === "lists") await benchLists(small, large);
  if (values.part === "both" || values.part === "others") {
    const ideal = await startIdeal(key, firstPort + 4);
    for (let round = 0; round < Number(values.rounds); round += 1) {
      await benchOthers("the ideal", ideal, key);
      for (const bank of [small, large]) await benchOthers(`${bank.accounts} accounts`, bank, key);
    }
  }
} finally {
  for (const child of running) await stop(child);
  await server?.close();
  if (values.folder === undefined) rmSync(folder, { recursive: true });
}

async function benchLists(small: Bank, large: Bank): Promise<void> {
  console.log(
    `ms, p50 and p99 of ${values.calls} calls at ${small.accounts} and at ${large.accounts} accounts`,
  );
  const only = new RegExp(values.only);
  const allOf = ({ accounts }: Bank) => ({
    ...(values.at !== undefined && pointCallsOf(accounts)),
    ...callsOf(accounts),
  });
  for (const name of Object.keys(allOf(small)).filter((each) => only.test(each))) {
    const sides = [small, large].map((bank) => ({ bank, times: new Array<number>(), outcome: "" }));
    for (let round = -5; round < Number(values.calls); round += 1) {
      for (const side of sides) {
        const call: Call | undefined = Object.entries(allOf(side.bank)).find(([each]) => each === name)?.[1];
        if (call === undefined) throw new Error(`no call ${name}`);
        const timed = await timedCall(side.bank, call, round + 5);
        side.outcome = timed.outcome;
        if (round >= 0) side.times.push(timed.ms);
      }
    }
    const [at, beside] = sides.map(({ times }) => [percentile(times, 50), percentile(times, 99)] as const);
    const ratio = (beside?.[1] ?? NaN) / (at?.[1] ?? NaN);
    const figures = [at, beside].map((side) => side?.map((ms) => ms.toFixed(1).padStart(6)).join(" "));
    console.log(
      `${name.padEnd(44)} ${figures.join("  | ")}  | × ${ratio.toFixed(2).padStart(5)}  ${sides[1]?.outcome}`,
    );
  }
}

async function timedCall(
  bank: Bank,
  call: Call,
  round: number,
): Promise<{ readonly ms: number; readonly outcome: string }> {
  const beganAt = performance.now();
  const answer =
    call.method === "ListTransactions"
      ? await bank.operatorCall(bankUsers.operator, call.method, call.payload)
      : await bank.call(
          call.by ?? bankUsers.all,
          call.method ?? "AccountService.ListAccounts",
          call.payloadOf?.(round) ?? call.payload,
        );
  const ms = performance.now() - beganAt;
  const { result, error } = answer;
  if (result?.transactions !== undefined)
    return { ms, outcome: `${result.transactions.length} transactions` };
  if (result !== undefined) return { ms, outcome: `${result.accounts?.length ?? 1} accounts` };
  if (error?.data?.reason === undefined) throw new Error(JSON.stringify(answer));
  return { ms, outcome: `ends: ${error.data.reason}` };
}

async function benchOthers(name: string, contestant: Contestant, key: KeyObject): Promise<void> {
  await othersOf(contestant, otherCalls / 3);
  const idle = await othersOf(contestant, otherCalls);
  const hostile = fork(join(import.meta.dirname, "accounts/hostile.ts"));
  running.push(hostile);
  yieldAlways(hostile);
  const settings: HostileSettings = {
    url: contestant.url,
    apiKey,
    privateKeyPem: key.export({ type: "pkcs8", format: "pem" }).toString(),
    accounts: contestant.accounts,
    callers: hostileCallers,
  };
  hostile.send(settings);
  await once(hostile, "message");
  const busy = await othersOf(contestant, otherCalls);
  hostile.send("stop");
  const [counts] = await once(hostile, "message");
  await stop(hostile);
  const after = await othersOf(contestant, otherCalls);
  const shown = [idle, busy, after].map(
    ({ times, late, waitedMs, tookMs }) =>
      `${[50, 99].map((percent) => percentile(times, percent).toFixed(2)).join(" ")} ` +
      `(own ${percentile(late, 99).toFixed(2)}, waits ${((100 * waitedMs) / tookMs).toFixed(1)} %)`,
  );
  console.log(
    `GetAccount, ${name}, ms p50 p99: idle ${shown[0]}, beside ${hostileCallers} who list ${shown[1]}, ` +
      `after ${shown[2]}; p99 × ${(percentile(busy.times, 99) / percentile(idle.times, 99)).toFixed(2)}; ` +
      `the lists meanwhile: ${JSON.stringify(counts)}`,
  );
}

async function startIdeal(key: KeyObject, port: number): Promise<Contestant> {
  const keyFile = join(folder, "public.pem");
  writeFileSync(keyFile, publicPemOf(key));
  const threads = String(Math.max(1, Math.min(4, availableParallelism() - 1)));
  const program = join(import.meta.dirname, "accounts/ideal.ts");
  const child = spawn(process.execPath, [program, String(port), keyFile, threads], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  running.push(child);
  const url = `http://127.0.0.1:${port}`;
  while (!(await isReady(url))) await sleep(50);
  return { accounts: 1_000, url, child, call: signedCaller({ url, apiKey, key }) };
}

/**
 * Real callers have machines of their own: here they take what the server and the measuring caller leave, and give it
 * back at once. A low priority alone does not do that: Linux lets a process finish its slice of some milliseconds.
 */
function yieldAlways({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  setPriority(pid, 19);
  if (process.platform === "linux") spawnSync("chrt", ["--all-tasks", "--idle", "--pid", "0", String(pid)]);
}

async function othersOf({ accounts, call, child }: Contestant, calls: number): Promise<Others> {
  const times: number[] = [];
  const late: number[] = [];
  const startedAt = performance.now();
  const waitedBefore = waitedMsOf(child);
  for (let index = 0; index < calls; index += 1) {
    const id = accountIdAt((index * 7_919) % accounts);
    const beganAt = performance.now();
    const { error } = await call(bankUsers.all, "AccountService.GetAccount", { ID: id });
    if (error !== undefined) throw new Error(JSON.stringify(error));
    const endedAt = performance.now();
    await sleep(pauseMs);
    times.push(endedAt - beganAt);
    late.push(performance.now() - endedAt - pauseMs);
  }
  return { times, late, waitedMs: waitedMsOf(child) - waitedBefore, tookMs: performance.now() - startedAt };
}

/** How long the first thread of a process was ready to run and did not. NaN where the system does not say. */
function waitedMsOf({ pid }: ChildProcess): number {
  const file = `/proc/${pid}/task/${pid}/schedstat`;
  return existsSync(file) ? Number(readFileSync(file, "utf8").split(" ")[1]) / 1e6 : NaN;
}

/** Makes the bank where it is not there yet, and serves it. */
async function openBank(accounts: number, key: KeyObject, port: number, at?: string): Promise<Bank> {
  const dataDir = join(folder, String(accounts));
  const file = join(dataDir, "ledger.sqlite");
  const mark = join(dataDir, "built-2");
  await server?.execute(`CREATE DATABASE bank_${accounts}`);
  const databaseUrl = at ?? server?.url(`bank_${accounts}`);
  if (at !== undefined) {
    mkdirSync(dataDir, { recursive: true });
    await giveKey(at, publicPemOf(key));
  } else if (server !== undefined || !existsSync(mark)) {
    rmSync(dataDir, { recursive: true, force: true });
    mkdirSync(dataDir);
    const beganAt = performance.now();
    const publicKeyPem = publicPemOf(key);
    const plan = { accounts, seed: 1, publicKeyPem, apiKey, busyTransactions: busyTransactionsOf(accounts) };
    await buildBank(databaseUrl ?? `sqlite:${file}`, plan, () => undefined);
    writeFileSync(mark, "");
    console.log(`made ${accounts} accounts in ${((performance.now() - beganAt) / 1000).toFixed(0)} s`);
  }
  const env = {
    PORT: String(port),
    OPERATOR_PORT: String(port + 1),
    LEDGER_DATA_DIR: dataDir,
    LEDGER_LOG_LEVEL: "error",
    ...(databaseUrl !== undefined && { LEDGER_DATABASE_URL: databaseUrl }),
  };
  const program = join(import.meta.dirname, "../ledger/cli/main.ts");
  spawnSync(process.execPath, [program, "migrate"], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "inherit", "inherit"],
  });
  const child = spawn(process.execPath, ["--max-semi-space-size=8", program, "serve"], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "inherit", "inherit"],
  });
  running.push(child);
  const url = `http://127.0.0.1:${port}`;
  while (!(await isReady(url))) {
    if (child.exitCode !== null) throw new Error("the server ended at once");
    await sleep(50);
  }
  const call = signedCaller({ url, apiKey, key });
  const operatorCall = signedCaller({ url: `http://127.0.0.1:${port + 1}`, apiKey, key });
  return { accounts, url, child, call, operatorCall };
}

/** To all users of a bank that is there. What an earlier run sealed with a key of its own goes. */
async function giveKey(url: string, publicKeyPem: string): Promise<void> {
  const client = new GuardedClient(url);
  await client.connect();
  await client.query("UPDATE device_keys SET public_key_pem = $1", [publicKeyPem]);
  await client.query("DELETE FROM service_keys; DELETE FROM seal_keys");
  await client.end();
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/readyz`)).ok;
  } catch {
    return false;
  }
}

function keyIn(kept: string): KeyObject {
  const file = join(kept, "key.pem");
  if (existsSync(file)) return createPrivateKey(readFileSync(file, "utf8"));
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  writeFileSync(file, privateKey.export({ type: "pkcs8", format: "pem" }), { mode: 0o600 });
  return privateKey;
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGTERM");
  await once(child, "exit");
}

function percentile(times: readonly number[], percent: number): number {
  const sorted = times.toSorted((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? NaN;
}

function publicPemOf(key: KeyObject): string {
  return createPublicKey(key).export({ type: "spki", format: "pem" }).toString();
}
