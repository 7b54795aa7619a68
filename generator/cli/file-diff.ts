import { structuredPatch } from "diff";
import type { PlannedFile } from "../output/index.ts";

/** How a file on the disk differs from what it should be. */
export interface FileDiff {
  readonly path: string;
  readonly change: "changed" | "missing" | "stale" | "moved" | "orphaned";
  /** Lines that `generate` would add and remove. */
  readonly added: number;
  readonly removed: number;
  /** The unified diff, from what is to what should be; empty for a file that is missing or stale as a whole. */
  readonly lines: readonly string[];
}

/** Undefined for a file that is as it should be. */
export function fileDiff(file: PlannedFile): FileDiff | undefined {
  const { kind, path } = file;
  switch (kind) {
    case "keep":
      return undefined;
    case "create":
      return { path, change: "missing", added: lineCount(file.text), removed: 0, lines: [] };
    case "delete":
      return { path, change: "stale", added: 0, removed: lineCount(file.before), lines: [] };
    case "update":
      return { path, change: "changed", ...compared(file.before, file.text) };
    case "aside":
      return { path: `${file.from} → ${path}`, change: "orphaned", added: 0, removed: 0, lines: [] };
    case "move":
      return { path: `${file.from} → ${path}`, change: "moved", ...compared(file.before, file.text) };
  }
}

function compared(before: string, after: string): Pick<FileDiff, "added" | "removed" | "lines"> {
  // Bounded: two texts that share nothing are not worth seconds of comparing.
  const patch = structuredPatch("", "", before, after, "", "", { context: 3, maxEditLength: 5_000 });
  if (patch === undefined) return { added: lineCount(after), removed: lineCount(before), lines: [] };
  const lines = patch.hunks.flatMap((hunk) => [
    `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`,
    ...hunk.lines,
  ]);
  return {
    added: lines.filter((line) => line.startsWith("+")).length,
    removed: lines.filter((line) => line.startsWith("-")).length,
    lines,
  };
}

function lineCount(text: string): number {
  return text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
}
