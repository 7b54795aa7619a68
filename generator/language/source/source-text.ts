import { oncePer } from "./once-per.ts";

/** One file of a spec: its display path (relative, forward slashes) and its text. */
export interface SourceText {
  readonly path: string;
  readonly text: string;
}

/** A range of a source text, in UTF-16 offsets; `end` is exclusive. */
export interface Span {
  readonly source: SourceText;
  readonly start: number;
  readonly end: number;
}

/** A position as people count it: both from 1. A byte order mark is not counted. */
export interface LineColumn {
  readonly line: number;
  readonly column: number;
}

export function sourceText(path: string, text: string): SourceText {
  return { path, text };
}

/** Line and column of an offset. Computed when a diagnostic is printed, never earlier. */
export function lineColumnAt(source: SourceText, offset: number): LineColumn {
  const starts = lineStartsOf(source);
  const line = lineIndexAt(starts, offset);
  return { line: line + 1, column: Math.max(0, offset - (starts[line] ?? 0)) + 1 };
}

/** The text of the line that holds an offset, without its line break and without a byte order mark. */
export function lineTextAt(source: SourceText, offset: number): string {
  const starts = lineStartsOf(source);
  const line = lineIndexAt(starts, offset);
  const start = starts[line] ?? 0;
  let end = starts[line + 1] ?? source.text.length;
  if (end > start && source.text.endsWith("\n", end)) end -= 1;
  if (end > start && end < source.text.length && source.text.endsWith("\r", end)) end -= 1;
  return source.text.slice(start, end);
}

const lineStartsOf = oncePer((source: SourceText): readonly number[] => {
  const starts = [source.text.startsWith("\uFEFF") ? 1 : 0];
  for (let at = source.text.indexOf("\n"); at !== -1; at = source.text.indexOf("\n", at + 1)) {
    starts.push(at + 1);
  }
  return starts;
});

function lineIndexAt(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
