import { Worker } from "node:worker_threads";
import type { MigrationBegun } from "../storage/index.ts";

/** Input of the thread that shows progress. */
export interface MigrationTicks {
  /** Where it writes: a descriptor of this process. */
  readonly descriptor: number;
  /** Whether a line is written over the one before. */
  readonly isTerminal: boolean;
  readonly intervalMs: number;
}

export interface MigrationDisplay {
  show(begun: MigrationBegun): void;
  /** Removes the line of a terminal, and ends the thread. */
  end(): Promise<void>;
}

const standardError = 2;
const terminalMs = 500;
const lineMs = 5_000;

/**
 * Says which migration a large database is at, for how long, and how much was written: a thread does, because a
 * migration holds up the one that executes it. Where all are done before the first tick, nothing is written.
 */
export function migrationDisplay(
  ticks: MigrationTicks = {
    descriptor: standardError,
    isTerminal: process.stderr.isTTY,
    intervalMs: process.stderr.isTTY ? terminalMs : lineMs,
  },
): MigrationDisplay {
  let worker: Worker | undefined;
  return {
    show: (begun) => {
      worker ??= startTicker(ticks);
      worker.postMessage(begun);
    },
    end: async () => {
      const ending = worker;
      worker = undefined;
      await ending?.terminate();
      if (ending !== undefined && ticks.isTerminal) process.stderr.write("\r\u001b[K");
    },
  };
}

function startTicker(ticks: MigrationTicks): Worker {
  const worker = new Worker(new URL("migration-thread.ts", import.meta.url), { workerData: ticks });
  worker.unref();
  // Progress that cannot be shown is no reason to give up a migration.
  worker.on("error", () => undefined);
  return worker;
}
