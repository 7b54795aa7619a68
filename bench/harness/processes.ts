import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";

/** Servers run on the first core and callers on the second, where there are two. */
export const cores = { server: "0", load: availableParallelism() > 1 ? "1" : "0" };

const running = new Set<ChildProcess>();
const folders: string[] = [];

/** Moves this process, which makes the load, to its core. Needs `taskset` (util-linux). */
export function pinLoad(): void {
  const { error } = spawnSync("taskset", ["-acp", cores.load, String(process.pid)]);
  if (error !== undefined) throw new Error("taskset is missing: install util-linux", { cause: error });
}

export interface StartOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** `0`, or `0,1` for a server that uses both. */
  readonly core?: string;
}

/** The last text of each process on its standard error, for the message when it fails. */
const said = new WeakMap<ChildProcess, string>();

/** Starts `node` on the servers' core; what it prints goes to `/dev/null`. */
export function startNode(args: readonly string[], options: StartOptions = {}): ChildProcess {
  const { cwd, env = process.env, core = cores.server } = options;
  const child = spawn("taskset", ["-c", core, process.execPath, ...args], {
    env,
    stdio: ["ignore", "ignore", "pipe"],
    ...(cwd === undefined ? {} : { cwd }),
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said.set(child, ((said.get(child) ?? "") + text).slice(-4_000));
  });
  running.add(child);
  return child;
}

export async function stop(child: ChildProcess): Promise<void> {
  running.delete(child);
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGTERM");
  await once(child, "exit");
}

/** An empty folder that goes when the program ends. */
export function temporaryFolder(parent = tmpdir()): string {
  const folder = mkdtempSync(join(parent, "ledger-bench-"));
  folders.push(folder);
  return folder;
}

/** Stops what still runs, and removes the folders. */
export async function cleanUp(): Promise<void> {
  await Promise.all([...running].map(stop));
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

/** Waits until the address answers with a status that `ready` takes. */
export async function untilAnswers(
  url: string,
  child: ChildProcess,
  ready: (status: number) => boolean = () => true,
): Promise<void> {
  for (;;) {
    if (child.exitCode !== null)
      throw new Error(`The server of ${url} ended at once:\n${said.get(child) ?? ""}`);
    try {
      const response = await fetch(url, { headers: { connection: "close" } });
      await response.arrayBuffer();
      if (ready(response.status)) return;
    } catch {
      // Not listening yet.
    }
    await new Promise((wake) => setTimeout(wake, 5));
  }
}

/** Seconds on a processor, user and system, of all threads that live. */
export function cpuSeconds({ pid }: ChildProcess): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const nanoseconds = threads.map((id) =>
    Number(readFileSync(`/proc/${pid}/task/${id}/schedstat`, "utf8").split(" ")[0]),
  );
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1e9;
}

/** Megabytes that the process holds now. */
export function residentMb({ pid }: ChildProcess): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
}
