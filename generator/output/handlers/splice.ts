import type { TextRange } from "./locate-handler.ts";

/** One change of a text. */
export interface Splice extends TextRange {
  readonly replacement: string;
}

/** The text with the splices made; everything else stays, byte for byte. Throws when two of them overlap. */
export function spliced(text: string, splices: readonly Splice[]): string {
  let result = "";
  let at = 0;
  for (const { start, end, replacement } of splices.toSorted((a, b) => a.start - b.start)) {
    if (start < at) throw new Error("two changes of a handler file overlap");
    result += text.slice(at, start) + replacement;
    at = end;
  }
  return result + text.slice(at);
}

/** Throws when a splice reaches into a range that is not ours to change. */
export function assertOutside(splices: readonly Splice[], untouchable: TextRange): void {
  for (const { start, end } of splices) {
    if (start < untouchable.end && end > untouchable.start)
      throw new Error("a change of a handler file would reach into its body");
  }
}
