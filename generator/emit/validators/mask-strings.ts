/** Code with numbered placeholders in it, and the way back. */
export interface MaskedStrings {
  readonly masked: string;
  /** A placeholder for a piece of code that nothing is to touch. Equal pieces have equal placeholders. */
  mask(literal: string): string;
  /** The placeholder of a text's literal. */
  placeholder(text: string): string;
  /** Puts everything back into a piece of masked code. */
  restore(piece: string): string;
}

/** Takes the double-quoted string literals out of code: `§0§`, `§1§` … stand for them. */
export function maskStrings(code: string): MaskedStrings {
  const literals: string[] = [];
  const indexes = new Map<string, number>();
  const mask = (literal: string) => {
    const index = indexes.get(literal) ?? literals.push(literal) - 1;
    indexes.set(literal, index);
    return `§${index}§`;
  };
  return {
    masked: code.replaceAll(/"(?:[^"\\\n]|\\.)*"/g, mask),
    mask,
    placeholder: (text) => mask(JSON.stringify(text)),
    restore: (piece) => piece.replaceAll(/§([0-9]+)§/g, (_, index: string) => literals[Number(index)] ?? ""),
  };
}
