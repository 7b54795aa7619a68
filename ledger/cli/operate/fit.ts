import { stripVTControlCharacters } from "node:util";

/** Columns are not cut shorter: the rest of a name would say nothing. */
const leastWidth = 6;

/**
 * Widths of columns that together take at most `room`: the longest columns are cut first, to the same width. The
 * first column, which names the row for other commands, and `times`, which are useless in part, stay whole; the
 * others keep some characters. A column has at least one character, so a room smaller than the columns are many is
 * overrun.
 */
export function fittedWidths(
  whole: readonly number[],
  room: number,
  times: ReadonlySet<number> = new Set(),
): readonly number[] {
  for (const kept of [new Set([0, ...times]), new Set([0])]) {
    const others = whole.filter((_, index) => !kept.has(index));
    const limit = limitOf(others, room - sum(whole.filter((_, index) => kept.has(index))));
    if (others.length > 0 && limit >= leastWidth) {
      return whole.map((width, index) => (kept.has(index) ? width : Math.min(width, limit)));
    }
  }
  const narrow = limitOf(whole, room);
  return whole.map((width) => Math.min(width, narrow));
}

/** The greatest width that, where no column is wider, lets all of them fit. */
function limitOf(widths: readonly number[], room: number): number {
  let limit = Math.max(1, ...widths);
  while (limit > 1 && sum(widths.map((width) => Math.min(width, limit))) > room) limit -= 1;
  return limit;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

const wide =
  /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6\u{1F300}-\u{1FAFF}\u{20000}-\u{3FFFD}]/u;

/** The cells of a terminal that the longest line of a text takes. */
export function widthOf(text: string): number {
  const lines = stripVTControlCharacters(text).split("\n");
  return Math.max(...lines.map((line) => sum([...line].map((letter) => (wide.test(letter) ? 2 : 1)))));
}
