/**
 * What a signed call costs. Servers run on core 0, one at a time under load; the callers run on core 1. Rounds go from
 * side to side, so that a change of the machine's pace meets all of them.
 *
 *     node bench/request.ts [rounds] [--beside <another checkout of this project>]
 *
 * 1. Signed GetAccount: CPU time of the server's process for a call, all its threads, divided by the floor: that
 *    of bare `node:http` plus that of the verification alone (bench/floor.ts).
 * 2. AddAccount at 64 callers: calls a second with the data folder on the disk, divided by those with the data folder in
 *    memory (`/dev/shm`).
 *
 * With `--beside`, each side is measured for the other checkout too: before and after in one run. Also printed: resident
 * memory after 10,000 calls, and the time from start to ready on the existing file. Needs `taskset` (util-linux).
 */
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { sign } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { Access } from "../runtime/seed/index.ts";

const readsPerRound = 4_000;
const readers = 32;
const settledAfter = 20_000;
const writesPerRound = 3_000;
const writers = 64;
const firstPort = 18_080;

const { values, positionals } = parseArgs({
  options: { beside: { type: "string" } },
  allowPositionals: true,
});
const rounds = Number(positionals[0] ?? 7);
const here = join(import.meta.dirname, "..");
const checkouts = new Map([
  ["this checkout", here],
  ...(values.beside === undefined ? [] : ([["beside", resolve(values.beside)]] as const)),
]);
const folders: string[] = [];
const running = new Set<ChildProcess>();
let nextPort = firstPort;

spawnSync("taskset", ["-cp", "1", String(process.pid)]);
try {
  await benchReads();
  await benchWrites();
  await benchStarts();
} finally {
  await Promise.all([...running].map(stop));
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}

interface Service {
  readonly child: ChildProcess;
  readonly url: string;
  readonly dataDir: string;
  readonly access: Access;
  readonly readyMs: number;
}

interface Side {
  readonly name: string;
  readonly child: ChildProcess;
  readonly url: string;
  readonly bodies: readonly string[];
  /** CPU µs a call that are measured apart. */
  extraUs?(): number;
}

async function benchReads(): Promise<void> {
  const sides: Side[] = [];
  for (const [name, checkout] of checkouts) {
    const { child, url, access } = await startService(checkout, dataFolder(tmpdir()));
    const bodies = getAccounts(access);
    if (sides.length === 0) sides.push(await startFloor(access, bodies));
    sides.push({ name, child, url, bodies });
  }
  const agent = new Agent({ keepAlive: true, maxSockets: readers });
  for (const { name, child, url, bodies } of sides) {
    for (let sent = bodies.length; sent <= settledAfter; sent += bodies.length) {
      await callAll(agent, url, bodies, readers);
      if (sent === 2 * readsPerRound)
        console.log(`${name}: resident after ${sent} calls: ${residentMb(child).toFixed(0)} MB`);
    }
  }
  const costs = new Map<string, number[]>(sides.map(({ name }) => [name, []]));
  for (let round = 1; round <= rounds; round += 1) {
    for (const { name, child, url, bodies, extraUs } of sides) {
      const before = cpuSeconds(child);
      await callAll(agent, url, bodies, readers);
      const ownUs = ((cpuSeconds(child) - before) * 1e6) / bodies.length;
      costs.get(name)?.push(ownUs + (extraUs?.() ?? 0));
    }
  }
  console.log("signed GetAccount, CPU µs a call, divided by verification + bare node:http");
  printRatios(costs, "floor");
  agent.destroy();
  await Promise.all(sides.map(({ child }) => stop(child)));
}

async function benchWrites(): Promise<void> {
  const sides = new Map<string, Service>();
  for (const [name, checkout] of checkouts) {
    sides.set(`${name}, in memory`, await startService(checkout, dataFolder("/dev/shm")));
    sides.set(`${name}, on disk`, await startService(checkout, dataFolder(tmpdir())));
  }
  const agent = new Agent({ keepAlive: true, maxSockets: writers });
  const rates = new Map<string, number[]>([...sides.keys()].map((name) => [name, []]));
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, { url, access }] of sides) {
      const bodies = addAccounts(access, round);
      const startedAt = performance.now();
      await callAll(agent, url, bodies, writers);
      const perSecond = bodies.length / ((performance.now() - startedAt) / 1000);
      if (round > 0) rates.get(name)?.push(perSecond);
    }
  }
  console.log(`AddAccount at ${writers} callers, calls a second, on disk divided by in memory`);
  for (const name of checkouts.keys()) {
    const own = new Map([...rates].filter(([side]) => side.startsWith(name)));
    printRatios(own, `${name}, in memory`);
  }
  if (checkouts.size > 1) {
    console.log("AddAccount on disk, this checkout divided by the other");
    const onDisk = new Map([...rates].filter(([side]) => side.endsWith("on disk")));
    printRatios(onDisk, "beside, on disk");
  }
  agent.destroy();
  await Promise.all([...sides.values()].map(({ child }) => stop(child)));
}

async function benchStarts(): Promise<void> {
  for (const [name, checkout] of checkouts) {
    const dataDir = dataFolder(tmpdir());
    await stop((await startService(checkout, dataDir)).child);
    const readyMs: number[] = [];
    for (let start = 0; start < 5; start += 1) {
      const service = await startService(checkout, dataDir);
      readyMs.push(service.readyMs);
      await stop(service.child);
    }
    const sorted = readyMs.toSorted((a, b) => a - b);
    console.log(`${name}: start to ready ${sorted.map((ms) => ms.toFixed(0)).join(", ")} ms`);
  }
}

/** One line a side: median, spread, and the median of the ratios to the base side of the same round. */
function printRatios(figures: ReadonlyMap<string, readonly number[]>, baseName: string): void {
  const base = figures.get(baseName) ?? [];
  for (const [name, own] of figures) {
    const ratios = own.map((figure, round) => figure / (base[round] ?? NaN));
    console.log(`  ${name.padEnd(26)} ${described(own, 0)}   ratio ${described(ratios, 3)}`);
  }
}

function described(figures: readonly number[], digits: number): string {
  const sorted = figures.toSorted((a, b) => a - b);
  const [median, low, high] = [sorted[Math.floor(sorted.length / 2)], sorted[0], sorted.at(-1)];
  return `${median?.toFixed(digits)} (${low?.toFixed(digits)}–${high?.toFixed(digits)})`;
}

function dataFolder(parent: string): string {
  const folder = mkdtempSync(join(parent, "bench-request-"));
  folders.push(folder);
  return folder;
}

/** Starts a service on core 0 with demo data, and waits until it is ready. */
async function startService(checkout: string, dataDir: string): Promise<Service> {
  const startedAt = performance.now();
  const [port, operatorPort] = [nextPort++, nextPort++];
  const env = {
    ...process.env,
    PORT: String(port),
    OPERATOR_PORT: String(operatorPort),
    LEDGER_DATA_DIR: dataDir,
  };
  const child = startOnCore0(["--max-semi-space-size=8", "runtime/cli/main.ts", "start"], checkout, env);
  const origin = `http://127.0.0.1:${port}`;
  const accessFile = join(dataDir, "access.json");
  while (!(existsSync(accessFile) && (await answers(`${origin}/readyz`)))) {
    if (child.exitCode !== null) throw new Error(`the service of ${checkout} ended at once`);
    await new Promise((wake) => setTimeout(wake, 5));
  }
  const readyMs = performance.now() - startedAt;
  const access: Access = JSON.parse(readFileSync(accessFile, "utf8"));
  return { child, url: `${origin}/jsonrpc`, dataDir, access, readyMs };
}

/** Bare `node:http`; each of its rounds also measures the verification alone, and adds it. */
async function startFloor(access: Access, bodies: readonly string[]): Promise<Side> {
  const keyFile = join(dataFolder(tmpdir()), "key.pem");
  writeFileSync(keyFile, access.privateKeyPem, { mode: 0o600 });
  const port = nextPort++;
  const child = startOnCore0(["bench/floor.ts", "serve", String(port)], here, process.env);
  const url = `http://127.0.0.1:${port}/jsonrpc`;
  while (!(await answers(url))) await new Promise((wake) => setTimeout(wake, 5));
  const verify = ["-c", "0", process.execPath, "bench/floor.ts", "verify", keyFile, String(readsPerRound)];
  const extraUs = (): number => Number(spawnSync("taskset", verify, { cwd: here, encoding: "utf8" }).stdout);
  return { name: "floor", child, url, bodies, extraUs };
}

function startOnCore0(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): ChildProcess {
  const child = spawn("taskset", ["-c", "0", process.execPath, ...args], { cwd, env, stdio: "ignore" });
  running.add(child);
  return child;
}

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(url);
    await response.arrayBuffer();
    return url.endsWith("/readyz") ? response.ok : true;
  } catch {
    return false;
  }
}

async function stop(child: ChildProcess): Promise<void> {
  running.delete(child);
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGTERM");
  await once(child, "exit");
}

/** Distinct requests: each payload has a member of its own, which the service ignores. */
function getAccounts(access: Access): readonly string[] {
  return Array.from({ length: readsPerRound }, (_, n) => {
    const payload = { ID: access.samples.accountId, trace: `call ${n}` };
    return signed(access, "AccountService.GetAccount", String(n), payload);
  });
}

function addAccounts(access: Access, round: number): readonly string[] {
  const payload = {
    customerID: access.samples.businessCustomerId,
    name: "Bench",
    accountType: "CHECKING",
    currency: "USD",
  };
  return Array.from({ length: writesPerRound }, (_, n) =>
    signed(access, "CustomerService.AddAccount", `${round}-${n}`, payload),
  );
}

function signed(
  { userName, apiKey, keyId, privateKeyPem }: Access,
  method: string,
  id: string,
  payload: object,
): string {
  const payloadText = JSON.stringify(payload);
  const signature = sign("sha256", Buffer.from(payloadText), privateKeyPem).toString("base64");
  const credential = `Basic ${Buffer.from(`${userName}:${apiKey}`).toString("base64")}`;
  const api = JSON.stringify({ credential, keyId, signature });
  return `{"method":"${method}","id":"${id}","params":{"api":${api},"payload":${payloadText}}}`;
}

async function callAll(agent: Agent, url: string, bodies: readonly string[], callers: number): Promise<void> {
  let next = 0;
  async function caller(): Promise<void> {
    for (let body = bodies[next++]; body !== undefined; body = bodies[next++]) {
      const answer = await call(agent, url, body);
      if (!answer.includes('"result"')) throw new Error(`refused: ${answer}`);
    }
  }
  await Promise.all(Array.from({ length: callers }, caller));
}

function call(agent: Agent, url: string, body: string): Promise<string> {
  return new Promise((resolveText, reject) => {
    const headers = { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) };
    const sent = request(url, { method: "POST", agent, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => (text += chunk));
      response.on("end", () => resolveText(text));
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

/** Time on a processor, of all threads. */
function cpuSeconds({ pid }: ChildProcess): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const ns = threads.map((id) =>
    Number(readFileSync(`/proc/${pid}/task/${id}/schedstat`, "utf8").split(" ")[0]),
  );
  return ns.reduce((sum, each) => sum + each, 0) / 1e9;
}

function residentMb({ pid }: ChildProcess): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
}
