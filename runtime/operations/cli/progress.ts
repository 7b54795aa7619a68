import type { VerifyProgress } from "../../store/ports/index.ts";
import { startWorker, type TaskWorker } from "../../platform/worker.ts";
import type { MigrationBegun } from "../../store/index.ts";

/** Where progress is written: standard error. */
interface ProgressStream {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

interface ProgressDisplay {
  show(progress: VerifyProgress): void;
  /** Removes the bar. */
  clear(): void;
}

const barWidth = 30;
const barIntervalMs = 100;
const lineIntervalMs = 10_000;

/** A bar on a terminal; elsewhere a line every ten seconds, none for what is done sooner. */
export function progressDisplay(
  stream: ProgressStream,
  now: () => number = () => performance.now(),
): ProgressDisplay {
  const intervalMs = stream.isTTY === true ? barIntervalMs : lineIntervalMs;
  let shownAt = stream.isTTY === true ? Number.NEGATIVE_INFINITY : now();
  return {
    show: (progress) => {
      const isBegun = stream.isTTY === true && progress.done === 0;
      if (!isBegun && now() - shownAt < intervalMs) return;
      shownAt = now();
      stream.write(stream.isTTY === true ? `\r\u001b[K${bar(progress)}` : `verify: ${line(progress)}\n`);
    },
    clear: () => {
      if (stream.isTTY === true) stream.write("\r\u001b[K");
    },
  };
}

function bar(progress: VerifyProgress): string {
  const filled = Math.round(share(progress) * barWidth);
  return `[${"#".repeat(filled)}${"-".repeat(barWidth - filled)}] ${line(progress)}`;
}

function line({ part, done, total }: VerifyProgress): string {
  if (total === undefined) return done === 0 ? part : `${part}: ${done}`;
  return `${part}: ${done} of ${total}`;
}

function share({ done, total }: VerifyProgress): number {
  return total === undefined || total === 0 ? 0 : Math.min(1, done / total);
}

/** A line on standard error that shows the progress of a long command; nothing where it is not a terminal. */
interface ProgressLine {
  show(done: number, of: number): void;
  end(): void;
}

const everyMs = 200;

export function progressLine(what: string, output: NodeJS.WriteStream = process.stderr): ProgressLine {
  let shownAtMs = -Infinity;
  let isShown = false;
  return {
    show(done, of) {
      if (!output.isTTY || performance.now() - shownAtMs < everyMs) return;
      shownAtMs = performance.now();
      isShown = true;
      output.write(`\r${what} ${of === 0 ? 100 : Math.floor((100 * done) / of)} %`);
    },
    end() {
      if (isShown) output.write("\r\u001B[K");
    },
  };
}

/** Input of the thread that shows progress. */
export interface MigrationTicks {
  /** Where it writes: a descriptor of this process. */
  readonly descriptor: number;
  /** Whether a line is written over the one before. */
  readonly isTerminal: boolean;
  readonly intervalMs: number;
}

interface MigrationDisplay {
  show(begun: MigrationBegun): void;
  /** Removes the line of a terminal, and ends the thread. */
  end(): Promise<void>;
}

const standardError = 2;
const terminalMs = 500;
const lineMs = 5_000;

/**
 * Says which migration a large database is at, for how long, and how much was written. A thread does it, because a
 * migration holds up the thread that executes it. Where all are done before the first tick, nothing is written.
 */
export function migrationDisplay(
  ticks: MigrationTicks = {
    descriptor: standardError,
    isTerminal: process.stderr.isTTY,
    intervalMs: process.stderr.isTTY ? terminalMs : lineMs,
  },
): MigrationDisplay {
  let worker: TaskWorker<MigrationBegun, void> | undefined;
  return {
    show: (begun) => {
      worker ??= startTicker(ticks);
      // Progress that cannot be shown is no reason to give up a migration.
      worker.ask(begun).catch(() => undefined);
    },
    end: async () => {
      const ending = worker;
      worker = undefined;
      await ending?.end();
      if (ending !== undefined && ticks.isTerminal) process.stderr.write("\r\u001b[K");
    },
  };
}

function startTicker(data: MigrationTicks): TaskWorker<MigrationBegun, void> {
  return startWorker(new URL("migration-thread.ts", import.meta.url), { data, isInBackground: true });
}
