/** The thread that `progress.ts` starts: writes where migrations are while they hold up the process. */
import { statSync, writeSync } from "node:fs";
import { answerTasks } from "../../platform/worker.ts";
import type { MigrationBegun } from "../../store/index.ts";
import type { MigrationTicks } from "./progress.ts";

const bytesOfMegabyte = 1e6;

answerTasks(({ descriptor, isTerminal, intervalMs }: MigrationTicks) => {
  let begun: MigrationBegun | undefined;
  let begunAtMs = 0;
  setInterval(() => {
    if (begun === undefined) return;
    const { name, step, steps, growing } = begun;
    const seconds = Math.floor((performance.now() - begunAtMs) / 1000);
    const written = growing === undefined ? "" : `, ${megabytesOf(growing)} MB written`;
    const text = `migrate: step ${step} of ${steps} (${name}), ${seconds} s${written}`;
    // The stream of the process is written by the thread that is held up.
    writeSync(descriptor, isTerminal ? `\r\u001b[K${text}` : `${text}\n`);
  }, intervalMs);

  return (message: MigrationBegun): void => {
    begun = message;
    begunAtMs = performance.now();
  };
});

function megabytesOf(file: string): number {
  return Math.round((statSync(file, { throwIfNoEntry: false })?.size ?? 0) / bytesOfMegabyte);
}
