import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Access } from "../../ledger/seed/index.ts";
import { startServer } from "../e2e/server.ts";
import { until } from "../until.ts";
import { startAnswerLoser } from "./answer-loser.ts";
import { newFolder, randomPort, startOver } from "./postgres-server.ts";

/** Processes of the service over one PostgreSQL server, all of which may be killed, and come back at the same addresses. */
export interface KilledService {
  readonly databaseUrl: string;
  readonly access: Access;
  /** For each process. */
  readonly addresses: readonly { readonly baseUrl: string; readonly operatorUrl: string }[];
  /** The failures to cause; each resolves when everything runs again. */
  readonly failures: Readonly<Record<string, () => Promise<void>>>;
  /** What the processes of the service printed, of those that ended otherwise than they were told to. */
  faults(): readonly string[];
  close(): Promise<void>;
}

/** What callers ask for, and nobody else. */
const written = /INSERT INTO (accounts|transactions)\b/i;
const downMsMax = 3_000;
const frozenMsMax = 6_000;

/** Starts `serve` that many times. `random` says how long something is down or frozen. */
export async function startKilledService(count: number, random: () => number): Promise<KilledService> {
  const folder = await newFolder();
  const database = await startOver(folder, { fsync: "on", synchronous_commit: "on" });
  await database.execute("CREATE DATABASE ledger");
  const databaseUrl = database.url("ledger");
  const dataDir = mkdtempSync(join(tmpdir(), "ledger-killed-"));
  const seeding = await startServer(dataDir, { LEDGER_DATABASE_URL: databaseUrl });
  await seeding.stop();
  const faults: string[] = [];
  const loser = await startAnswerLoser(databaseUrl);
  const processes: ServeProcess[] = [];
  for (let index = 0; index < count; index += 1)
    processes.push(await serveProcess(dataDir, loser.url, faults));

  const any = (): ServeProcess => processes[Math.floor(random() * count)] ?? missing();
  const startDatabase = async (): Promise<void> => {
    await sleep(random() * downMsMax);
    await database.start();
  };
  const endService = async (signal: NodeJS.Signals): Promise<void> => {
    const one = any();
    await one.end(signal);
    await sleep(random() * downMsMax);
    await one.start();
  };
  return {
    databaseUrl,
    access: seeding.access,
    addresses: processes.map(({ address }) => address),
    failures: {
      "service killed": () => endService("SIGKILL"),
      "service stopped": () => endService("SIGTERM"),
      "service frozen": async () => {
        const one = any();
        one.signal("SIGSTOP");
        await sleep(random() * frozenMsMax);
        one.signal("SIGCONT");
      },
      "all of the service killed": async () => {
        await Promise.all(processes.map((each) => each.end("SIGKILL")));
        await Promise.all(processes.map((each) => each.start()));
      },
      "answer to a COMMIT swallowed": () => loser.loseNext(written, "swallowing"),
      "answer to a COMMIT lost with its connection": () => loser.loseNext(written, "cutting"),
      "database killed": async () => {
        await database.kill();
        await startDatabase();
      },
      "database frozen": async () => {
        const frozen = processesOf(folder.data);
        signalAll(frozen, "SIGSTOP");
        await sleep(random() * frozenMsMax);
        signalAll(frozen, "SIGCONT");
      },
      "connection processes of the database ended": async () => {
        signalAll(processesOf(folder.data).slice(1), "SIGTERM");
        await sleep(random() * downMsMax);
      },
    },
    faults: () => faults,
    async close() {
      await Promise.all(processes.map((each) => each.end("SIGTERM")));
      await loser.close();
      await database.close();
      rmSync(dataDir, { recursive: true });
    },
  };
}

interface ServeProcess {
  readonly address: { readonly baseUrl: string; readonly operatorUrl: string };
  start(): Promise<void>;
  /** SIGTERM has to end it with 0. */
  end(signal: NodeJS.Signals): Promise<void>;
  signal(signal: NodeJS.Signals): void;
}

async function serveProcess(dataDir: string, databaseUrl: string, faults: string[]): Promise<ServeProcess> {
  let [port, operatorPort] = [randomPort(), randomPort()];
  let child: ChildProcess | undefined;
  let printed = "";
  const one: ServeProcess = {
    get address() {
      return { baseUrl: `http://127.0.0.1:${port}`, operatorUrl: `http://127.0.0.1:${operatorPort}` };
    },
    async start() {
      if (!(await launched())) throw new Error(`an address was taken while serve was away:\n${printed}`);
    },
    async end(signal) {
      if (child === undefined) return;
      const ending = child;
      if (ending.exitCode !== null) faults.push(`serve ended by itself with ${ending.exitCode}:\n${printed}`);
      else {
        const ended = once(ending, "exit");
        ending.kill(signal);
        const [code] = await ended;
        if (signal === "SIGTERM" && code !== 0) faults.push(`SIGTERM ended serve with ${code}:\n${printed}`);
      }
    },
    signal(signal) {
      child?.kill(signal);
    },
  };
  // The service itself binds: no port that was found free can be taken before it starts.
  while (!(await launched())) [port, operatorPort] = [randomPort(), randomPort()];
  return one;

  /** Whether it serves; it does not where a port is taken. */
  async function launched(): Promise<boolean> {
    printed = "";
    const started = spawn(process.execPath, ["ledger/cli/main.ts", "serve"], {
      cwd: join(import.meta.dirname, "../.."),
      env: {
        ...process.env,
        PORT: String(port),
        OPERATOR_PORT: String(operatorPort),
        LEDGER_DATA_DIR: dataDir,
        LEDGER_DATABASE_URL: databaseUrl,
        LEDGER_DATABASE_CONNECT_TIMEOUT_MS: "2000",
        // An answer that is lost is waited for that long, and 5 s more.
        LEDGER_DATABASE_STATEMENT_TIMEOUT_MS: "2000",
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    child = started;
    let isClosed = false;
    started.once("close", () => (isClosed = true));
    for (const stream of [started.stdout, started.stderr])
      stream.on("data", (chunk: Buffer) => (printed = (printed + chunk.toString()).slice(-printedMax)));
    await until(async () => {
      const response = await fetch(`${one.address.baseUrl}/readyz`).catch(() => undefined);
      return isClosed || response?.ok === true;
    });
    if (!isClosed) return true;
    if (/is taken by another program/.test(printed)) return false;
    throw new Error(`serve ended with ${started.exitCode}:\n${printed}`);
  }
}

const printedMax = 4_000;
/** The server's process first, then those that it started. */
function processesOf(dataFolder: string): readonly number[] {
  const [pid = ""] = readFileSync(join(dataFolder, "postmaster.pid"), "utf8").split("\n");
  const children = execFileSync("ps", ["-o", "pid=,args=", "--ppid", pid], { encoding: "utf8" });
  // The others of the server's processes are not restarted alone: their end is that of the server.
  const connections = children.split("\n").filter((line) => line.includes("postgres: ledger"));
  return [pid, ...connections.map((line) => line.trim().split(/\s+/)[0] ?? "")].map(Number);
}

function signalAll(ids: readonly number[], signal: NodeJS.Signals): void {
  for (const id of ids) {
    try {
      process.kill(id, signal);
    } catch {
      // It has ended meanwhile.
    }
  }
}

function missing(): never {
  throw new Error("there is no such process");
}
