import { fail, failed, type Cursor } from "./cursor.ts";

const quote = 0x22;
const backslash = 0x5c;

/**
 * Scans the string whose opening quote is at a position; answers the position after the closing one. Notes the first
 * control character; where `isMultiline` is set, CR and LF are none.
 */
export function scanString(cursor: Cursor, open: number, isMultiline = false): number {
  const { bytes } = cursor;
  cursor.escaped = false;
  let at = open + 1;
  for (;;) {
    const byte = bytes[at];
    if (byte === undefined || byte < 0x20) return fail(cursor, "syntax", at);
    if (byte === quote) break;
    if (byte === backslash) {
      cursor.escaped = true;
      at = scanEscape(cursor, at, isMultiline);
      if (at < 0) return failed;
    } else {
      if (byte >= 0x7f) noteIfControl(cursor, at, byte);
      at += 1;
    }
  }
  return at - open - 1 > cursor.rules.stringCharactersMax ? endOfLong(cursor, open, at) : at + 1;
}

/** The position after a string of so many bytes that it may have too many characters. */
function endOfLong(cursor: Cursor, open: number, close: number): number {
  return characters(cursor.bytes, open + 1, close) > cursor.rules.stringCharactersMax
    ? fail(cursor, "string-too-long", open)
    : close + 1;
}

/** A character written as itself is a control character at U+007F–U+009F: one byte, or the second after 0xC2. */
function noteIfControl(cursor: Cursor, at: number, byte: number): void {
  if (byte === 0x7f || (byte === 0xc2 && (cursor.bytes[at + 1] ?? 0) < 0xa0)) noteControl(cursor, at);
}

/** Scans one escape, or the two of a surrogate pair: half a pair is no character. */
function scanEscape(cursor: Cursor, at: number, isMultiline: boolean): number {
  const { bytes } = cursor;
  switch (bytes[at + 1]) {
    case 0x22: // "
    case 0x5c: // \
    case 0x2f: // /
      return at + 2;
    case 0x6e: // n
    case 0x72: // r
      if (!isMultiline) noteControl(cursor, at);
      return at + 2;
    case 0x62: // b
    case 0x66: // f
    case 0x74: // t
      noteControl(cursor, at);
      return at + 2;
    case 0x75: // u
      break;
    default:
      return fail(cursor, "syntax", at);
  }
  const unit = codeUnit(bytes, at + 2);
  if (unit < 0) return fail(cursor, "syntax", at);
  if (unit < 0xa0 && isControlUnit(unit, isMultiline)) noteControl(cursor, at);
  if (unit < 0xd800 || unit > 0xdfff) return at + 6;
  const isHigh = unit < 0xdc00;
  if (!isHigh || bytes[at + 6] !== backslash || bytes[at + 7] !== 0x75) {
    return fail(cursor, "lone-surrogate", at);
  }
  const low = codeUnit(bytes, at + 8);
  if (low < 0) return fail(cursor, "syntax", at + 6);
  return low >= 0xdc00 && low <= 0xdfff ? at + 12 : fail(cursor, "lone-surrogate", at);
}

function noteControl(cursor: Cursor, at: number): void {
  if (cursor.controlAt < 0) cursor.controlAt = at;
}

function isControlUnit(unit: number, isMultiline: boolean): boolean {
  if (isMultiline && (unit === 0x0a || unit === 0x0d)) return false;
  return unit < 0x20 || unit >= 0x7f;
}

/** The value of four hexadecimal digits, or -1. */
function codeUnit(bytes: Buffer, at: number): number {
  let unit = 0;
  for (let index = at; index < at + 4; index += 1) {
    const digit = hexDigit(bytes[index] ?? 0);
    if (digit < 0) return -1;
    unit = unit * 16 + digit;
  }
  return unit;
}

function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

/** Code points of a scanned string's content: every escape, and every surrogate pair of escapes, is one. */
function characters(bytes: Buffer, start: number, end: number): number {
  let count = 0;
  for (let at = start; at < end; count += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === backslash) at += escapeBytes(bytes, at);
    else at += byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
  }
  return count;
}

function escapeBytes(bytes: Buffer, at: number): number {
  if (bytes[at + 1] !== 0x75) return 2;
  const unit = codeUnit(bytes, at + 2);
  return unit >= 0xd800 && unit <= 0xdfff ? 12 : 6;
}
