import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { temporaryFolder } from "./processes.ts";

/** The cost of one run of a command. */
export interface CommandCost {
  readonly seconds: number;
  /** User and system, all threads of the process; not of processes that it starts. */
  readonly cpuSeconds: number;
  readonly peakMb: number;
}

const folder = temporaryFolder();
const [preload, costFile] = [join(folder, "cost.mjs"), join(folder, "cost.json")];
writeFileSync(
  preload,
  `import { isMainThread } from "node:worker_threads";
import { readFileSync, writeFileSync } from "node:fs";
if (isMainThread) process.on("exit", () => {
  const { userCPUTime, systemCPUTime } = process.resourceUsage();
  // Its maxRSS begins with that of the process which started this one.
  const [, peakKb] = /^VmHWM:\\s+(\\d+)/m.exec(readFileSync("/proc/self/status", "utf8"));
  writeFileSync(${JSON.stringify(costFile)}, JSON.stringify([peakKb / 1024, (userCPUTime + systemCPUTime) / 1e6]));
});
`,
);

/** Runs a program of Node in a process of its own, on any core. Throws with what it printed if it fails. */
export function runNode(program: string, args: readonly string[], cwd: string): CommandCost {
  const startedAt = performance.now();
  const all = ["--import", pathToFileURL(preload).href, program, ...args];
  const options = { cwd, encoding: "utf8", maxBuffer: 1e9 } as const;
  const { status, stdout, stderr } = spawnSync(
    "taskset",
    ["-c", "0-1023", process.execPath, ...all],
    options,
  );
  const seconds = (performance.now() - startedAt) / 1000;
  if (status !== 0) throw new Error(`${program} ${args.join(" ")} ended with ${status}:\n${stdout}${stderr}`);
  const [peakMb = NaN, cpuSeconds = NaN]: number[] = JSON.parse(readFileSync(costFile, "utf8"));
  return { seconds, cpuSeconds, peakMb };
}

/** Runs a program of ours on any core, and gives what it prints as JSON. Throws with what it printed if it fails. */
export function runForJson<T>(program: string, args: readonly string[]): T {
  const all = ["-c", "0-1023", process.execPath, program, ...args];
  const { status, stdout, stderr } = spawnSync("taskset", all, { encoding: "utf8", maxBuffer: 1e9 });
  if (status !== 0) throw new Error(`${program} ended with ${status}:\n${stderr}`);
  return JSON.parse(stdout);
}
