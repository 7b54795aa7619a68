import type { VerifyProgress } from "../ports/index.ts";

/** Where progress is written: standard error. */
export interface ProgressStream {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

export interface ProgressDisplay {
  show(progress: VerifyProgress): void;
  /** Removes the bar. */
  clear(): void;
}

const barWidth = 30;
const barIntervalMs = 100;
const lineIntervalMs = 10_000;

const parts: Readonly<Record<VerifyProgress["part"], string>> = {
  file: "pages and indexes (no progress is known)",
  accounts: "accounts, postings, holds",
  transactions: "transactions",
  audit: "audit entries",
  sealed: "sealed texts",
};

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
  if (total === undefined) return done === 0 ? parts[part] : `${parts[part]}: ${done}`;
  return `${parts[part]}: ${done} of ${total}`;
}

function share({ done, total }: VerifyProgress): number {
  return total === undefined || total === 0 ? 0 : Math.min(1, done / total);
}
