import { lineColumnAt, lineTextAt, type Span } from "../source/index.ts";

/** Most columns of a source line that are shown. */
const widthMax = 100;
/** Most characters that are looked at on each side: marks take no column, so that a line of them would never fill it. */
const reach = 4 * widthMax;
const tabWidth = 2;

/** A source line and the carets below it, as they are printed. */
export interface MarkedLine {
  readonly text: string;
  readonly carets: string;
}

/**
 * The line that holds the start of a span and carets under exactly the part of the span that is on it. Tabs become
 * spaces, control characters become visible, wide characters count twice, and a long line is cut around the span.
 */
export function markedLine(span: Span): MarkedLine {
  const line = lineTextAt(span.source, span.start);
  const { column } = lineColumnAt(span.source, span.start);
  const start = Math.min(column - 1, line.length);
  const end = Math.max(start, Math.min(line.length, start + span.end - span.start));
  const stop = start + line.slice(start, end).trimEnd().length;
  // A file may be one line with thousands of findings: no more of it is looked at than can be shown.
  const from = wholeCharacter(line, Math.max(0, start - reach));
  const before = cellsOf(line.slice(from, start));
  const marked = cellsOf(line.slice(start, wholeCharacter(line, Math.min(stop, start + reach))));
  const after = cellsOf(line.slice(stop, wholeCharacter(line, stop + reach)));
  return cut(before, marked, after);
}

/** The nearest place at or before one that parts no character in two. */
function wholeCharacter(line: string, at: number): number {
  const isInside = /[\uDC00-\uDFFF]/.test(line.charAt(at)) && /[\uD800-\uDBFF]/.test(line.charAt(at - 1));
  return isInside ? at - 1 : at;
}

/** One character as it is printed, and the columns it takes. */
interface Cell {
  readonly text: string;
  readonly width: number;
}

function cut(before: readonly Cell[], marked: readonly Cell[], after: readonly Cell[]): MarkedLine {
  const whole = widthOf(before) + widthOf(marked) + widthOf(after);
  const isLong = whole > widthMax;
  const head = isLong ? lastOf(before, Math.max(20, widthMax - 40 - widthOf(marked))) : before;
  const shown = firstOf(marked, widthMax - 40);
  const tail = isLong ? firstOf(after, Math.max(0, widthMax - widthOf(head) - widthOf(shown))) : after;
  const left = head.length < before.length ? "… " : "";
  const right = shown.length < marked.length || tail.length < after.length ? " …" : "";
  const text =
    left + textOf(head) + textOf(shown) + (shown.length < marked.length ? "" : textOf(tail)) + right;
  const indent = " ".repeat(left.length + widthOf(head));
  return { text, carets: indent + "^".repeat(Math.max(1, widthOf(shown))) };
}

function cellsOf(text: string): readonly Cell[] {
  return [...text].map(cellOf);
}

function cellOf(character: string): Cell {
  if (character === "\t") return { text: " ".repeat(tabWidth), width: tabWidth };
  if (/\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}|\p{Cs}/u.test(character)) return { text: "·", width: 1 };
  if (/\p{M}/u.test(character)) return { text: character, width: 0 };
  return { text: character, width: isWide(character) ? 2 : 1 };
}

function isWide(character: string): boolean {
  return /[\p{Emoji_Presentation}\u{1100}-\u{115F}\u{2E80}-\u{A4CF}\u{AC00}-\u{D7A3}\u{F900}-\u{FAFF}\u{FE30}-\u{FE6F}\u{FF00}-\u{FF60}\u{FFE0}-\u{FFE6}\u{20000}-\u{3FFFD}]/u.test(
    character,
  );
}

function widthOf(cells: readonly Cell[]): number {
  return cells.reduce((sum, cell) => sum + cell.width, 0);
}

function textOf(cells: readonly Cell[]): string {
  return cells.map((cell) => cell.text).join("");
}

/** As many cells from the start as fit. */
function firstOf(cells: readonly Cell[], width: number): readonly Cell[] {
  let used = 0;
  const end = cells.findIndex((cell) => (used += cell.width) > width);
  return end === -1 ? cells : cells.slice(0, end);
}

/** As many cells from the end as fit. */
function lastOf(cells: readonly Cell[], width: number): readonly Cell[] {
  return firstOf(cells.toReversed(), width).toReversed();
}
