import type { Progress } from "../runner/run-options.ts";
import type { Paint } from "./text.ts";

export interface ProgressOptions {
  readonly paint: Paint;
  /** Whether the output is a terminal, which can show a line that changes. */
  readonly isLive: boolean;
  /** Shows a line in place of the one before. */
  replace(line: string): void;
  /** Shows a line that stays. */
  append(line: string): void;
}

const barWidth = 20;
const liveMs = 100;
const plainParts = 5;

/** Says how far a run is: one live line on a terminal, else a few lines that stay. */
export function progressReporter(options: ProgressOptions): (progress: Progress) => void {
  const { paint, isLive } = options;
  const startedAt = performance.now();
  let shownAt = -Infinity;
  let shownPart = 0;
  return ({ done, total, failed, at }) => {
    const isEnd = done === total;
    const seconds = `${((performance.now() - startedAt) / 1000).toFixed(0)} s`;
    const failures = failed === 0 ? "0 failed" : paint.red(`${failed} failed`);
    if (isLive) {
      if (!isEnd && performance.now() - shownAt < liveMs) return;
      shownAt = performance.now();
      const full = Math.floor((done / total) * barWidth);
      const bar = paint.green("━".repeat(full)) + paint.dim("━".repeat(barWidth - full));
      options.replace(
        `${bar} ${done}/${total} · ${failures} · ${seconds} · ${paint.dim(at.split(".").at(-1) ?? at)}`,
      );
      return;
    }
    const part = Math.floor((done / total) * plainParts);
    if (part === shownPart) return;
    shownPart = part;
    options.append(`${done} of ${total} cases, ${failures}, ${seconds}`);
  };
}
