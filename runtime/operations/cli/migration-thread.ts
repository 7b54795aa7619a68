/** The thread that `migration-display.ts` starts: writes where migrations are while they hold up the process. */
import { statSync, writeSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import type { MigrationBegun } from "../../store/index.ts";
import type { MigrationTicks } from "./progress.ts";

const { descriptor, isTerminal, intervalMs }: MigrationTicks = workerData;
const bytesOfMegabyte = 1e6;
let begun: MigrationBegun | undefined;
let begunAtMs = 0;

parentPort?.on("message", (message: MigrationBegun) => {
  begun = message;
  begunAtMs = performance.now();
});

setInterval(() => {
  if (begun === undefined) return;
  const { name, step, steps, growing } = begun;
  const seconds = Math.floor((performance.now() - begunAtMs) / 1000);
  const written = growing === undefined ? "" : `, ${megabytesOf(growing)} MB written`;
  const text = `migrate: step ${step} of ${steps} (${name}), ${seconds} s${written}`;
  // The stream of the process is written by the thread that is held up.
  writeSync(descriptor, isTerminal ? `\r\u001b[K${text}` : `${text}\n`);
}, intervalMs);

function megabytesOf(file: string): number {
  return Math.round((statSync(file, { throwIfNoEntry: false })?.size ?? 0) / bytesOfMegabyte);
}
