import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { readAccess, type Access } from "../../conformance/index.ts";

const root = join(import.meta.dirname, "../..");

/** A service with a fault, in a process of its own on free ports and over demo data of its own. */
export interface FaultyServer {
  readonly access: Access;
  readonly mailFolder: string;
  /** Ends the process and removes its data. */
  stop(): Promise<void>;
}

/**
 * Starts the service with one fault, or without any, over demo data that the sound service wrote.
 * @throws Error with what it printed, if it does not start
 */
export async function startFaultyServer(
  fault: string | undefined,
  environment: Readonly<Record<string, string>> = {},
): Promise<FaultyServer> {
  const files = await seededData();
  const dataDir = mkdtempSync(join(tmpdir(), "faulty-"));
  for (const { path, bytes, mode } of files) {
    mkdirSync(dirname(join(dataDir, path)), { recursive: true });
    writeFileSync(join(dataDir, path), bytes, { mode });
  }
  const child = service(["--import", "./test/faults/inject.ts", "ledger/cli/main.ts", "start"], {
    LEDGER_DATA_DIR: dataDir,
    FAULT: fault ?? "",
    ...environment,
  });
  const stop = async (): Promise<void> => {
    await ended(child);
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    await invited(child);
    const file = join(dataDir, "access.json");
    return { access: readAccess(readFileSync(file, "utf8"), file), mailFolder: join(dataDir, "mail"), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** A file of a data folder. */
interface DataFile {
  readonly path: string;
  readonly bytes: Buffer;
  readonly mode: number;
}

let seeded: Promise<readonly DataFile[]> | undefined;

/** Demo data, made once. It is kept in memory: the runner of the tests ends its processes without their exit listeners. */
function seededData(): Promise<readonly DataFile[]> {
  seeded ??= (async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "faulty-seed-"));
    try {
      const child = service(["ledger/cli/main.ts", "seed"], { LEDGER_DATA_DIR: dataDir });
      let printed = "";
      child.stderr?.on("data", (chunk: Buffer) => (printed += chunk.toString()));
      child.stdout?.resume();
      const [code] = await once(child, "close");
      if (code !== 0) throw new Error(`no demo data could be made: ${printed}`);
      return filesBelow(dataDir);
    } finally {
      rmSync(dataDir, { recursive: true, force: true });
    }
  })();
  return seeded;
}

function filesBelow(folder: string): readonly DataFile[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      return { path: relative(folder, path), bytes: readFileSync(path), mode: statSync(path).mode & 0o777 };
    });
}

function service(args: readonly string[], environment: Readonly<Record<string, string>>): ChildProcess {
  const env = { ...process.env, PORT: "0", OPERATOR_PORT: "0", LEDGER_LOG_LEVEL: "silent", ...environment };
  return spawn(process.execPath, args, { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
}

/** Waits until the service has printed how it is called. */
async function invited(child: ChildProcess): Promise<void> {
  let printed = "";
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const read = (chunk: Buffer): void => {
    printed += chunk.toString();
    if (printed.includes("A signed call, to paste")) resolve();
  };
  child.stdout?.on("data", read);
  child.stderr?.on("data", read);
  child.on("exit", () => reject(new Error(`the service ended at once: ${printed.slice(-600)}`)));
  await promise;
}
