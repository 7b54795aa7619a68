/**
 * A decimal number exactly as it was written on the wire, never passed through a float (D-37).
 * `JSON.stringify` prints the lexeme as a JSON number, digit for digit.
 */
export interface Decimal {
  readonly lexeme: string;
  toJSON(): unknown;
}

const jsonNumber = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;

/** Wraps the text of a JSON number. Throws a `RangeError` for any other text: callers pass lexemes a parser accepted. */
export function decimal(lexeme: string): Decimal {
  if (!jsonNumber.test(lexeme)) throw new RangeError("not the text of a JSON number");
  return { lexeme, toJSON };
}

function toJSON(this: Decimal): unknown {
  return JSON.rawJSON(this.lexeme);
}
