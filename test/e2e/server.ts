import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Access } from "../../ledger/seed/index.ts";

const repository = join(import.meta.dirname, "../..");

/** The real service in a process of its own, started as a user starts it. */
export interface RunningServer {
  readonly access: Access;
  readonly child: ChildProcess;
  /** All that it printed so far. */
  printed(): string;
  /** Sends SIGTERM and answers the exit code, once all that it printed has arrived. */
  stop(): Promise<number | null>;
}

/** Starts `ledger-server start` of a project on free ports over a data folder, and waits until it invites. */
export async function startServer(
  dataDir: string,
  env: Record<string, string> = {},
  root = repository,
): Promise<RunningServer> {
  const child = spawn(process.execPath, ["ledger/cli/main.ts", "start"], {
    cwd: root,
    env: { ...process.env, PORT: "0", OPERATOR_PORT: "0", LEDGER_DATA_DIR: dataDir, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  const exited = once(child, "close");
  const invited = new Promise<void>((resolve) => {
    const read = (chunk: Buffer): void => {
      printed += chunk.toString();
      if (printed.includes("A signed call, to paste")) resolve();
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
  });
  await Promise.race([
    invited,
    exited.then(() => {
      throw new Error(`the server ended at once:\n${printed}`);
    }),
  ]);
  return {
    access: JSON.parse(readFileSync(join(dataDir, "access.json"), "utf8")),
    child,
    printed: () => printed,
    async stop() {
      if (child.exitCode === null) child.kill("SIGTERM");
      await exited;
      return child.exitCode;
    },
  };
}

/** Whether a data folder was left in order. */
export function hasAccess(dataDir: string): boolean {
  return existsSync(join(dataDir, "access.json"));
}
