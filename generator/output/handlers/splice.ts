import { isWithin, type TextRange } from "./text-range.ts";

/** One change of a text. */
export interface Splice extends TextRange {
  readonly replacement: string;
}

/** The text with the splices made; everything else stays, byte for byte. Throws when two of them overlap. */
export function spliced(text: string, splices: readonly Splice[]): string {
  let result = "";
  let at = 0;
  for (const { start, end, replacement } of inOrder(splices)) {
    if (start < at) throw new Error("two changes of a handler file overlap");
    result += text.slice(at, start) + replacement;
    at = end;
  }
  return result + text.slice(at);
}

/** Throws when a splice reaches into a range that is not ours to change. */
export function assertOutside(splices: readonly Splice[], untouchable: TextRange): void {
  for (const splice of splices) {
    const isBefore = splice.end <= untouchable.start;
    const isAfter = splice.start >= untouchable.end;
    if (!isBefore && !isAfter) throw new Error("a change of a handler file would reach into its body");
  }
}

/**
 * Throws unless taking the splices back gives the very bytes that were there before: then nothing but what they name
 * has changed.
 */
export function assertOnlySpliced(before: Buffer, after: Buffer, splices: readonly Splice[]): void {
  const original = before.toString();
  let text = after.toString();
  let shift = 0;
  const undoings: Splice[] = inOrder(splices).map(({ start, end, replacement }) => {
    const at = start + shift;
    shift += replacement.length - (end - start);
    return { start: at, end: at + replacement.length, replacement: original.slice(start, end) };
  });
  for (const [at, { start, end }] of undoings.entries()) {
    const written = inOrder(splices)[at]?.replacement;
    if (text.slice(start, end) !== written || !isWithin({ start, end }, { start: 0, end: text.length }))
      throw new Error("a change of a handler file is not where it belongs");
  }
  text = spliced(text, undoings);
  if (!Buffer.from(text).equals(before))
    throw new Error("a change of a handler file would touch more than it says");
}

function inOrder(splices: readonly Splice[]): readonly Splice[] {
  return splices.toSorted((a, b) => a.start - b.start || a.end - b.end);
}
