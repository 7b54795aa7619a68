/** Orders text by Unicode code points, as SQL databases do, where `<` would order by UTF-16 units. */
export function compareCodePoints(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index += 1) {
    const difference = rank(left.charCodeAt(index)) - rank(right.charCodeAt(index));
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

/**
 * The least text that is greater than every text starting with `prefix`; `undefined` if there is no such text. Texts
 * starting with `prefix` are then those from `prefix` up to but not including it.
 */
export function afterPrefix(prefix: string): string | undefined {
  const codePoints = Array.from(prefix, (character) => character.codePointAt(0) ?? 0);
  while (codePoints.at(-1) === 0x10ffff) codePoints.pop();
  const last = codePoints.pop();
  if (last === undefined) return undefined;
  return String.fromCodePoint(...codePoints, last === 0xd7ff ? 0xe000 : last + 1);
}

/** The text with A to Z in lower case and nothing else changed. */
export function lowerAscii(value: string): string {
  return value.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** Surrogates stand for code points above all others, but their units lie below those from U+E000. */
function rank(unit: number): number {
  const isSurrogate = unit >= 0xd800 && unit <= 0xdfff;
  return isSurrogate ? unit + 0x10000 : unit;
}

export type Order = "=" | "!=" | "<" | "<=" | ">" | ">=";

/** Whether an operator holds between two values whose comparison gives a negative number, 0 or a positive number. */
export function orderHolds(op: Order, difference: number): boolean {
  switch (op) {
    case "=":
      return difference === 0;
    case "!=":
      return difference !== 0;
    case "<":
      return difference < 0;
    case "<=":
      return difference <= 0;
    case ">":
      return difference > 0;
    case ">=":
      return difference >= 0;
  }
}

/** Sorts by parts of a key: numbers by size, texts by code points. */
export function inKeyOrder<R>(
  rows: readonly R[],
  keyOf: (row: R) => readonly (string | number)[],
): readonly R[] {
  return rows.toSorted((left, right) => {
    const [leftKey, rightKey] = [keyOf(left), keyOf(right)];
    for (const [index, value] of leftKey.entries()) {
      const other = rightKey[index];
      const difference =
        typeof value === "number" && typeof other === "number"
          ? value - other
          : compareCodePoints(String(value), String(other));
      if (difference !== 0) return difference;
    }
    return 0;
  });
}
