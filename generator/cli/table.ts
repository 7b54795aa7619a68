import type { Terminal } from "./terminal.ts";

/** Columns with a heading: the first is text, the others are numbers, aligned right. */
export function table(
  heading: readonly string[],
  rows: readonly (readonly string[])[],
  color: Terminal["color"],
): string {
  const widths = heading.map((title, at) =>
    Math.max(...[heading, ...rows].map((row) => (row[at] ?? "").length), title.length),
  );
  const line = (row: readonly string[]): string =>
    row
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join("  ");
  return [color.dim(line(heading)), ...rows.map(line)].join("\n");
}
