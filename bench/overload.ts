/**
 * The effect of overload. The service runs on core 0, its callers in processes of their own on core 1.
 *
 *     node bench/overload.ts [rounds] [--seconds <s>] [--connections <n>] [--beside <another checkout of this project>]
 *
 * A round, for each checkout in turn:
 * 1. The maximum: 64 callers, each with one signed GetAccount at a time; once more after 2, and the mean counts.
 * 2. Three times that rate, pipelined over 200 connections (or `--connections`): results and errors a second, time
 * until an error, and the largest resident set. Beside it a caller with one request at a time, before, during and
 * after, and a health check every tenth of a second. The connections are closed at the end. The other caller's signed
 * calls cost as much as those of the 200 connections. So the share of the maximum is printed with and without them.
 * Health checks are not counted, since they cost less. 3. 20,000 requests are pipelined over one connection again and again. The median time of the other caller is
 * measured.
 *
 * Needs `taskset` (util-linux) and Linux (/proc).
 */
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { commandLine } from "./harness/command-line.ts";
import type { LoadJob, LoadOutcome } from "./overload-load.ts";

const { values, positionals } = commandLine(import.meta.filename, {
  options: {
    beside: { type: "string" },
    seconds: { type: "string", default: "5" },
    connections: { type: "string", default: "200" },
  },
  allowPositionals: true,
});
const rounds = Number(positionals[0] ?? 3);
const seconds = Number(values.seconds);
const checkouts = [
  ...(values.beside === undefined ? [] : [["beside", resolve(values.beside)] as const]),
  ["this checkout", join(import.meta.dirname, "..")] as const,
];
const pipelinedConnections = Number(values.connections);
const factor = 3;
/** A refused or stopped connection attempt, and the health checks, are waited for so long. */
const healthTimeoutMs = 5_000;

spawnSync("taskset", ["-cp", "1", String(process.pid)]);
for (let round = 1; round <= rounds; round += 1) {
  for (const [name, root] of checkouts) await measure(`round ${round}, ${name}`, root);
}

async function measure(title: string, root: string): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), "overload-"));
  const server = await startServer(root, dataDir);
  try {
    console.log(title);
    await load({ dataDir, kind: "closed", connections: 64, seconds: 3 });
    const before = await maximumOf(server, dataDir);
    const overloaded = await overload(server, dataDir, factor * before.perSecond);
    const after = await maximumOf(server, dataDir);
    print(overloaded, before, after);
    await fairness(dataDir);
  } finally {
    server.kill("SIGKILL");
    await once(server, "exit");
    rmSync(dataDir, { recursive: true, force: true });
  }
}

interface Maximum {
  readonly perSecond: number;
  /** The same on a machine that is busy with other things. */
  readonly perCpuSecond: number;
}

async function maximumOf(server: ChildProcess, dataDir: string): Promise<Maximum> {
  const before = cpuSeconds(server);
  const { byStatus } = await load({ dataDir, kind: "closed", connections: 64, seconds });
  const answers = byStatus["200"] ?? 0;
  return { perSecond: answers / seconds, perCpuSecond: answers / (cpuSeconds(server) - before) };
}

interface Overloaded {
  readonly outcome: LoadOutcome;
  readonly cpu: number;
  /** Answers a second to the caller with one request at a time. */
  readonly beside: number;
  readonly lines: readonly string[];
}

async function overload(server: ChildProcess, dataDir: string, ratePerSecond: number): Promise<Overloaded> {
  const restMb = residentMb(server);
  const probing = load({ dataDir, kind: "probe", connections: 1, seconds: seconds + 4 });
  await sleep(2_000);
  const health = watchHealth(dataDir);
  const memory = watchMemory(server);
  const before = cpuSeconds(server);
  const outcome = await load({
    dataDir,
    kind: "pipelined",
    connections: pipelinedConnections,
    seconds,
    ratePerSecond,
  });
  const cpu = cpuSeconds(server) - before;
  const healthMs = await health.stop();
  const { medians = [], answers = [] } = await probing;
  const first = 20 + Math.round(outcome.dialledMs / 100);
  const end = first + seconds * 10;
  const idle = median(medians.slice(5, 15));
  const during = median(medians.slice(first + 5, end - 5));
  const back = medians.findIndex((each, index) => index >= end && each <= 2 * idle);
  return {
    outcome,
    cpu,
    beside: answers.slice(first, end).reduce((sum, each) => sum + each, 0) / seconds,
    lines: [
      `resident: ${restMb.toFixed(0)} MB before, ${memory.stop().toFixed(0)} MB at most, ${residentMb(server).toFixed(0)} MB after; ` +
        `health checks: ${healthMs.length}, slowest ${Math.max(...healthMs).toFixed(0)} ms`,
      `another caller's median: ${idle.toFixed(2)} ms before, ${during.toFixed(2)} ms during; ` +
        `back below twice that ${back < 0 ? "not within 2 s" : `after ${(back - end) / 10} s`}`,
    ],
  };
}

/** The maximum is the mean of those before and after: the machine does not stay equally fast. */
function print({ outcome, cpu, beside, lines }: Overloaded, before: Maximum, after: Maximum): void {
  const mean = (of: keyof Maximum): number => (before[of] + after[of]) / 2;
  const good = (outcome.byStatus["200"] ?? 0) / seconds;
  const refused = outcome.byStatus["503"] ?? 0;
  const refusedMs = outcome.latencyMs["503"]?.map((ms) => ms.toFixed(1)).join(", ") ?? "";
  console.log(
    `  maximum: ${before.perSecond.toFixed(0)} answers/s before, ${after.perSecond.toFixed(0)} after, ` +
      `${mean("perCpuSecond").toFixed(0)} for each CPU second of the service`,
  );
  console.log(
    `  ${factor} x over ${pipelinedConnections} connections, open after ${outcome.dialledMs.toFixed(0)} ms: ` +
      `offered ${(outcome.offered / seconds).toFixed(0)}/s, answered ${good.toFixed(0)}/s = ` +
      `${percent(good / mean("perSecond"))} of the maximum, ` +
      `${percent((good * seconds) / cpu / mean("perCpuSecond"))} for each CPU second; ` +
      `with the ${beside.toFixed(0)}/s of the other caller ${percent((good + beside) / mean("perSecond"))}; ` +
      `refused ${refused}${refused > 0 ? ` within ${refusedMs} ms (p50, p99, most)` : ""}, ` +
      `${outcome.unanswered} connections ended without an answer`,
  );
  for (const line of lines) console.log(`  ${line}`);
}

async function fairness(dataDir: string): Promise<void> {
  const idle = (await load({ dataDir, kind: "probe", connections: 1, seconds: 2 })).latencyMs["200"];
  const burst = load({ dataDir, kind: "burst", connections: 1, seconds: 4, requests: 20_000 });
  await sleep(1_000);
  const beside = (await load({ dataDir, kind: "probe", connections: 1, seconds: 2 })).latencyMs["200"];
  const { byStatus } = await burst;
  const [idleMs = NaN] = idle ?? [];
  const [besideMs = NaN] = beside ?? [];
  console.log(
    `  20,000 pipelined on one connection (${JSON.stringify(byStatus)} in 4 s): another caller's median ` +
      `${idleMs.toFixed(2)} → ${besideMs.toFixed(2)} ms, ${(besideMs / idleMs).toFixed(1)} x`,
  );
}

async function load(job: LoadJob): Promise<LoadOutcome> {
  const argv = [
    "-c",
    "1",
    process.execPath,
    join(import.meta.dirname, "overload-load.ts"),
    JSON.stringify(job),
  ];
  const child = spawn("taskset", argv, { stdio: ["ignore", "pipe", "inherit"] });
  let printed = "";
  child.stdout.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  await once(child, "close");
  return JSON.parse(printed);
}

async function startServer(root: string, dataDir: string): Promise<ChildProcess> {
  const argv = ["-c", "0", process.execPath, "--max-semi-space-size=8", "ledger/cli/main.ts", "start"];
  const env = { ...process.env, PORT: "0", OPERATOR_PORT: "0", LEDGER_DATA_DIR: dataDir };
  const child = spawn("taskset", argv, { cwd: root, env, stdio: "ignore" });
  const file = join(dataDir, "access.json");
  while (!existsSync(file) || !(await isReady(dataDir))) {
    if (child.exitCode !== null) throw new Error(`the service in ${root} ended at once`);
    await sleep(50);
  }
  return child;
}

async function isReady(dataDir: string): Promise<boolean> {
  try {
    return (await fetch(`${baseUrlOf(dataDir)}/readyz`)).ok;
  } catch {
    return false;
  }
}

function baseUrlOf(dataDir: string): string {
  const access: { readonly baseUrl: string } = JSON.parse(readFileSync(join(dataDir, "access.json"), "utf8"));
  return access.baseUrl;
}

/** Asks for health every tenth of a second, each time over a new connection. Gives milliseconds. */
function watchHealth(dataDir: string): { stop(): Promise<readonly number[]> } {
  const url = `${baseUrlOf(dataDir)}/healthz`;
  const taken: number[] = [];
  const stopped = new AbortController();
  const watching = (async () => {
    while (!stopped.signal.aborted) {
      const sentAtMs = performance.now();
      const signal = AbortSignal.timeout(healthTimeoutMs);
      const answer = await fetch(url, { headers: { connection: "close" }, signal }).catch(() => undefined);
      await answer?.text();
      taken.push(answer?.ok === true ? performance.now() - sentAtMs : Infinity);
      await sleep(100);
    }
  })();
  return {
    async stop() {
      stopped.abort();
      await watching;
      return taken;
    },
  };
}

function watchMemory(server: ChildProcess): { stop(): number } {
  let most = 0;
  const timer = setInterval(() => (most = Math.max(most, residentMb(server))), 50);
  return {
    stop() {
      clearInterval(timer);
      return most;
    },
  };
}

function residentMb({ pid }: ChildProcess): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
}

/** Time on a processor, of all threads. */
function cpuSeconds({ pid }: ChildProcess): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const ns = threads.map((id) =>
    Number(readFileSync(`/proc/${pid}/task/${id}/schedstat`, "utf8").split(" ")[0]),
  );
  return ns.reduce((sum, each) => sum + each, 0) / 1e9;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(0)} %`;
}

function median(all: readonly number[]): number {
  const sorted = all.filter((each) => !Number.isNaN(each)).toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}

function sleep(ms: number): Promise<void> {
  return new Promise((done) => {
    setTimeout(done, ms);
  });
}
