import { fail, type Cursor } from "./cursor.ts";

/** Longer texts, and those with an exponent, may exceed what a double holds. */
const surelyFiniteBytes = 300;

/** Scans a number by the grammar of RFC 8259. One that no double can hold is refused, unless it is only echoed. */
export function scanNumber(cursor: Cursor, start: number, isEchoed: boolean): number {
  const { bytes } = cursor;
  let at = bytes[start] === 0x2d ? start + 1 : start;
  if (bytes[at] === 0x30) at += 1;
  else {
    const end = skipDigits(bytes, at);
    if (end === at) return fail(cursor, "syntax", at);
    at = end;
  }
  if (bytes[at] === 0x2e) {
    const end = skipDigits(bytes, at + 1);
    if (end === at + 1) return fail(cursor, "syntax", end);
    at = end;
  }
  const hasExponent = bytes[at] === 0x65 || bytes[at] === 0x45;
  if (hasExponent) {
    at += bytes[at + 1] === 0x2b || bytes[at + 1] === 0x2d ? 2 : 1;
    const end = skipDigits(bytes, at);
    if (end === at) return fail(cursor, "syntax", at);
    at = end;
  }
  if (isEchoed || (!hasExponent && at - start < surelyFiniteBytes)) return at;
  return Number.isFinite(Number(bytes.toString("latin1", start, at)))
    ? at
    : fail(cursor, "number-not-finite", start);
}

function skipDigits(bytes: Buffer, from: number): number {
  let at = from;
  for (let byte = bytes[at]; byte !== undefined && byte >= 0x30 && byte <= 0x39; byte = bytes[at]) at += 1;
  return at;
}
