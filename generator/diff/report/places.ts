import { lineColumnAt, type LineColumn, type Span } from "../../language/source/index.ts";

/** A place in a file. Lines and columns count from 1; `end` is exclusive. */
export interface Place {
  readonly path: string;
  readonly start: LineColumn;
  readonly end: LineColumn;
}

export function placeOf({ source, start, end }: Span): Place {
  return { path: source.path, start: lineColumnAt(source, start), end: lineColumnAt(source, end) };
}

/** `spec/ledger/methods/account.yaml:41:7` */
export function positionOf(span: Span): string {
  const { path, start } = placeOf(span);
  return `${path}:${start.line}:${start.column}`;
}
