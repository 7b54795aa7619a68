/**
 * What a signed call costs beside its signature: CPU time of the real server process for a signed GetAccount over
 * HTTP, against `crypto.verify` alone, on the same core, in interleaved rounds, once the compiler has settled (20,000
 * requests). Also resident memory after 10,000 requests, and the time from start to ready on the existing file.
 *
 *     node bench/request.ts [rounds]
 *
 * Needs `taskset` (util-linux) and two cores: the server has core 0 to itself, the callers core 1.
 */
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { createPrivateKey, createPublicKey, sign, verify } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";

const requestsPerRound = 2_000;
const callers = 32;
const settledAfter = 20_000;

interface Access {
  readonly baseUrl: string;
  readonly userName: string;
  readonly apiKey: string;
  readonly keyId: string;
  readonly privateKeyPem: string;
  readonly samples: { readonly accountId: string };
}

if (process.argv[2] === "verify") verifyAlone(Number(process.argv[3]), process.argv[4] ?? "");
else await main(Number(process.argv[2] ?? 7));

async function main(rounds: number): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), "bench-"));
  spawnSync("taskset", ["-cp", "1", String(process.pid)]);
  let server = await startServer(dataDir);
  try {
    const access: Access = JSON.parse(readFileSync(join(dataDir, "access.json"), "utf8"));
    const bodies = signedBodies(access, requestsPerRound);
    const agent = new Agent({ keepAlive: true, maxSockets: callers });
    for (let sent = bodies.length; sent <= settledAfter; sent += bodies.length) {
      await callAll(agent, server.baseUrl, bodies);
      if (sent === 10_000) {
        console.log(
          `resident after 10,000 calls: ${residentMb(server.child).toFixed(0)} MB (target: under 150)`,
        );
      }
    }

    const ratios: number[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      const aloneUs = verificationUs(dataDir);
      const before = cpuSeconds(server.child);
      const startedAt = performance.now();
      await callAll(agent, server.baseUrl, bodies);
      const seconds = (performance.now() - startedAt) / 1000;
      const callUs = ((cpuSeconds(server.child) - before) * 1e6) / bodies.length;
      ratios.push(callUs / aloneUs);
      console.log(
        `round ${round}: verification alone ${aloneUs.toFixed(0)} µs, signed call ${callUs.toFixed(0)} µs CPU, ` +
          `ratio ${(callUs / aloneUs).toFixed(2)}, ${(bodies.length / seconds).toFixed(0)} calls/s`,
      );
    }
    ratios.sort((a, b) => a - b);
    const median = ratios[Math.floor(ratios.length / 2)] ?? NaN;
    console.log(
      `ratio: median ${median.toFixed(2)}, from ${ratios[0]?.toFixed(2)} to ${ratios.at(-1)?.toFixed(2)} (target: at most 2.00)`,
    );

    agent.destroy();
    await stop(server.child);

    const readyMs: number[] = [];
    for (let start = 0; start < 5; start += 1) {
      server = await startServer(dataDir);
      readyMs.push(server.readyMs);
      await stop(server.child);
    }
    readyMs.sort((a, b) => a - b);
    console.log(`start to ready: ${readyMs.map((ms) => ms.toFixed(0)).join(", ")} ms (target: under 500)`);
  } finally {
    await stop(server.child);
    rmSync(dataDir, { recursive: true });
  }
}

/** Starts the service on core 0 and waits until it is ready. */
async function startServer(dataDir: string) {
  const startedAt = performance.now();
  const ports = { PORT: "18080", OPERATOR_PORT: "18081" };
  const child = spawn(
    "taskset",
    ["-c", "0", process.execPath, "--max-semi-space-size=8", "runtime/cli/main.ts", "start"],
    {
      cwd: join(import.meta.dirname, ".."),
      env: { ...process.env, ...ports, LEDGER_DATA_DIR: dataDir },
      stdio: "ignore",
    },
  );
  const baseUrl = "http://127.0.0.1:18080";
  while (!(existsSync(join(dataDir, "access.json")) && (await isReady(baseUrl)))) {
    if (child.exitCode !== null) throw new Error("the server ended at once");
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return { child, baseUrl, readyMs: performance.now() - startedAt };
}

async function isReady(baseUrl: string): Promise<boolean> {
  try {
    return (await fetch(`${baseUrl}/readyz`)).ok;
  } catch {
    return false;
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.kill("SIGTERM");
  await once(child, "exit");
}

/** Distinct requests: each payload has a member of its own, which the service ignores. */
function signedBodies(
  { userName, apiKey, keyId, privateKeyPem, samples }: Access,
  count: number,
): readonly string[] {
  const key = createPrivateKey(privateKeyPem);
  const credential = `Basic ${Buffer.from(`${userName}:${apiKey}`).toString("base64")}`;
  return Array.from({ length: count }, (_, n) => {
    const payload = JSON.stringify({ ID: samples.accountId, trace: `call ${n}` });
    const signature = sign("sha256", Buffer.from(payload), key).toString("base64");
    const api = JSON.stringify({ credential, keyId, signature });
    return `{"method":"AccountService.GetAccount","id":"${n}","params":{"api":${api},"payload":${payload}}}`;
  });
}

async function callAll(agent: Agent, baseUrl: string, bodies: readonly string[]): Promise<void> {
  let next = 0;
  async function caller(): Promise<void> {
    for (let body = bodies[next++]; body !== undefined; body = bodies[next++]) {
      const answer = await call(agent, `${baseUrl}/jsonrpc`, body);
      if (!answer.includes('"result"')) throw new Error(`refused: ${answer}`);
    }
  }
  await Promise.all(Array.from({ length: callers }, caller));
}

function call(agent: Agent, url: string, body: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) };
    const sent = request(url, { method: "POST", agent, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => (text += chunk));
      response.on("end", () => resolve(text));
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

/** CPU time of `crypto.verify` with a cached key object, in a process of its own on the server's core. */
function verificationUs(dataDir: string): number {
  const argv = [
    "-c",
    "0",
    process.execPath,
    import.meta.filename,
    "verify",
    String(requestsPerRound),
    dataDir,
  ];
  const { stdout } = spawnSync("taskset", argv, { encoding: "utf8" });
  return Number(stdout);
}

function verifyAlone(count: number, dataDir: string): void {
  const access: Access = JSON.parse(readFileSync(join(dataDir, "access.json"), "utf8"));
  const privateKey = createPrivateKey(access.privateKeyPem);
  const key = createPublicKey(privateKey);
  const signed = Array.from({ length: count }, (_, n) => {
    const bytes = Buffer.from(JSON.stringify({ ID: access.samples.accountId, trace: `call ${n}` }));
    return { bytes, signature: sign("sha256", bytes, privateKey) };
  });
  for (const { bytes, signature } of signed) verify("sha256", bytes, key, signature);
  const before = process.cpuUsage();
  for (const { bytes, signature } of signed) {
    if (!verify("sha256", bytes, key, signature)) throw new Error("a signature that does not verify");
  }
  const { user, system } = process.cpuUsage(before);
  console.log((user + system) / count);
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
