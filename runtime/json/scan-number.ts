import { fail, type Cursor } from "./cursor.ts";
import { echoed, type Place } from "./protocol.ts";

/** Longer texts, and those with an exponent, may exceed what a double holds. */
const surelyFiniteBytes = 300;

/** Shorter integers are below 2^53: every double holds them exactly. */
const surelyExactBytes = 15;

/**
 * Scans a number by the grammar of RFC 8259. Refused, unless it is only echoed, is one that no double can hold and,
 * where the rules ask for it, an integer that would become another one: `12345678901234567890`.
 */
export function scanNumber(cursor: Cursor, start: number, place: Place): number {
  const { bytes } = cursor;
  let at = bytes[start] === 0x2d ? start + 1 : start;
  if (bytes[at] === 0x30) at += 1;
  else {
    const end = skipDigits(bytes, at);
    if (end === at) return fail(cursor, "syntax", at);
    at = end;
  }
  const hasFraction = bytes[at] === 0x2e;
  if (hasFraction) {
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
  if (place === echoed) return at;
  const isExactInteger = !hasExponent && !hasFraction && cursor.rules.exactIntegers;
  if (isExactInteger ? at - start <= surelyExactBytes : !hasExponent && at - start < surelyFiniteBytes)
    return at;
  const text = bytes.toString("latin1", start, at);
  const value = Number(text);
  if (!Number.isFinite(value)) return fail(cursor, "number-not-finite", start);
  return !isExactInteger || isExact(text, value) ? at : fail(cursor, "number-inexact", start);
}

/** Whether an integer is the double, or how JavaScript prints the double: `2 ** 63` is 9223372036854776000 there. */
function isExact(text: string, value: number): boolean {
  return Number.isSafeInteger(value) || String(value) === text || BigInt(value) === BigInt(text);
}

function skipDigits(bytes: Buffer, from: number): number {
  let at = from;
  for (let byte = bytes[at]; byte !== undefined && byte >= 0x30 && byte <= 0x39; byte = bytes[at]) at += 1;
  return at;
}
