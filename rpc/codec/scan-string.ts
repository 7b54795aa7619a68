import { fail, failed, type Cursor } from "./cursor.ts";

const quote = 0x22;
const backslash = 0x5c;

/** Scans the string whose opening quote is at a position; answers the position after the closing one. */
export function scanString(cursor: Cursor, open: number): number {
  const { bytes } = cursor;
  const end = bytes.length;
  cursor.escaped = false;
  let at = open + 1;
  for (;;) {
    if (at >= end) return fail(cursor, "syntax", end);
    const byte = bytes[at];
    if (byte === undefined || byte < 0x20) return fail(cursor, "syntax", at);
    if (byte === quote) return at + 1;
    if (byte === backslash) {
      cursor.escaped = true;
      at = scanEscape(cursor, at);
      if (at < 0) return failed;
    } else at += 1;
  }
}

/** The characters that may follow a backslash by themselves. */
const shortEscapes: ReadonlySet<number> = new Set(Buffer.from('"\\/bfnrt'));

/** Scans one escape, or the two of a surrogate pair: half a pair is no character. */
function scanEscape(cursor: Cursor, at: number): number {
  const { bytes } = cursor;
  const kind = bytes[at + 1] ?? 0;
  if (shortEscapes.has(kind)) return at + 2;
  const unit = kind === 0x75 ? codeUnit(bytes, at + 2) : failed;
  if (unit < 0) return fail(cursor, "syntax", at);
  if (unit < 0xd800 || unit > 0xdfff) return at + 6;
  const hasNext = unit < 0xdc00 && bytes[at + 6] === backslash && bytes[at + 7] === 0x75;
  if (!hasNext) return fail(cursor, "lone-surrogate", at);
  const low = codeUnit(bytes, at + 8);
  if (low < 0) return fail(cursor, "syntax", at + 6);
  return low >= 0xdc00 && low <= 0xdfff ? at + 12 : fail(cursor, "lone-surrogate", at);
}

/** The value of four hexadecimal digits, or -1. */
function codeUnit(bytes: Buffer, at: number): number {
  let unit = 0;
  for (let index = at; index < at + 4; index += 1) {
    const digit = hexDigit(bytes[index] ?? 0);
    if (digit < 0) return failed;
    unit = unit * 16 + digit;
  }
  return unit;
}

function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : failed;
}
