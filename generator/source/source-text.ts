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

/** A position as people count it: both from 1. */
export interface LineColumn {
  readonly line: number;
  readonly column: number;
}

export function sourceText(path: string, text: string): SourceText {
  return { path, text };
}

/** Line and column of an offset. Computed when a diagnostic is printed, never earlier. */
export function lineColumnAt(source: SourceText, offset: number): LineColumn {
  const before = source.text.slice(0, offset);
  const lineStart = before.lastIndexOf("\n") + 1;
  let line = 1;
  for (let at = before.indexOf("\n"); at !== -1; at = before.indexOf("\n", at + 1)) line += 1;
  return { line, column: offset - lineStart + 1 };
}

/** The text of the line that holds an offset, without its line break. */
export function lineTextAt(source: SourceText, offset: number): string {
  const start = source.text.lastIndexOf("\n", offset - 1) + 1;
  const end = source.text.indexOf("\n", offset);
  return source.text.slice(start, end === -1 ? undefined : end).replace(/\r$/, "");
}
