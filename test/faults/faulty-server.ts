import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readAccess, type Access } from "../../generator/conformance/index.ts";

const root = join(import.meta.dirname, "../..");
const startTimeoutMs = 60_000;

/** A service with a fault, in a process of its own on free ports and over demo data of its own. */
export interface FaultyServer {
  readonly access: Access;
  readonly mailFolder: string;
  /** Ends the process and removes its data. */
  stop(): Promise<void>;
}

/** Starts the service with one fault, or without any. @throws Error with what it printed, if it does not start */
export async function startFaultyServer(fault: string | undefined): Promise<FaultyServer> {
  const dataDir = mkdtempSync(join(tmpdir(), "faulty-"));
  const child = spawn(
    process.execPath,
    ["--import", "./test/faults/inject.ts", "runtime/cli/main.ts", "start"],
    {
      cwd: root,
      env: {
        ...process.env,
        PORT: "0",
        OPERATOR_PORT: "0",
        LEDGER_DATA_DIR: dataDir,
        LEDGER_LOG_LEVEL: "silent",
        FAULT: fault ?? "",
      },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
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
