import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readAccess, type Access } from "../../conformance/index.ts";

const root = join(import.meta.dirname, "../..");
const startTimeoutMs = 60_000;

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
  const template = await seededData();
  const dataDir = mkdtempSync(join(tmpdir(), "faulty-"));
  cpSync(template, dataDir, { recursive: true });
  const child = service(["--import", "./test/faults/inject.ts", "runtime/cli/main.ts", "start"], {
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

let template: Promise<string> | undefined;

/** A folder with demo data, made once and removed when this process ends. */
function seededData(): Promise<string> {
  template ??= (async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "faulty-seed-"));
    process.once("exit", () => rmSync(dataDir, { recursive: true, force: true }));
    const child = service(["runtime/cli/main.ts", "seed"], { LEDGER_DATA_DIR: dataDir });
    let printed = "";
    child.stderr?.on("data", (chunk: Buffer) => (printed += chunk.toString()));
    child.stdout?.resume();
    const [code] = await once(child, "close");
    if (code !== 0) throw new Error(`no demo data could be made: ${printed}`);
    return dataDir;
  })();
  return template;
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
  const timer = setTimeout(() => reject(new Error(`the service did not start: ${printed}`)), startTimeoutMs);
  await promise.finally(() => clearTimeout(timer));
}
