import { spawn, type ChildProcess, type ChildProcessByStdio } from "node:child_process";
import type { Readable, Writable } from "node:stream";

/** Starts a command that the shell runs: messages go in and out, what it says of itself goes to standard error. */
export function startCommand(
  command: string,
  cwd = process.cwd(),
): ChildProcessByStdio<Writable, Readable, null> {
  return spawn(command, {
    cwd,
    shell: true,
    stdio: ["pipe", "pipe", "inherit"],
    detached: process.platform !== "win32",
  });
}

/** Ends a command that runs, and those that its shell has started. */
export function endCommand(child: ChildProcess): void {
  if (child.pid === undefined) return;
  if (process.platform === "win32") child.kill();
  else process.kill(-child.pid);
}
