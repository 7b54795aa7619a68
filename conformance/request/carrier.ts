import { type ChildProcess, type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";

/** Ways to a service by which messages travel alone: no method, path, status or header goes with each. */
export type MessageCarrier = "websocket" | "stdio";

/** How a service at an address is reached; undefined over HTTP. */
export function carrierOf(baseUrl: string): MessageCarrier | undefined {
  if (/^wss?:/i.test(baseUrl)) return "websocket";
  return baseUrl.startsWith(commandPrefix) ? "stdio" : undefined;
}

/** Before a command whose standard input and output are a service. */
export const commandPrefix = "stdio:";

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
