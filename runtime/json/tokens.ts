import { isExactInteger } from "./exact-decimal.ts";

/** The JSON that a protocol accepts. */
export interface ScanRules {
  /** What violations call the text: `empty-body`, `message-too-large`. */
  readonly noun: "body" | "message";
  /** Bytes of the whole text. */
  readonly bytesMax: number;
  /** Nesting of objects and arrays; the outermost value is at depth 1. Also bounds the scanner's recursion. */
  readonly depthMax: number;
  readonly arrayItemsMax: number;
  /** Unicode code points of one string, names included. */
  readonly stringCharactersMax: number;
  /** Names that no object may have. */
  readonly forbiddenNames: readonly string[];
  /** The member, in lower case, whose text may hold CR and LF that do not count as control characters; "": none. */
  readonly multilineName: string;
  /** Whether an integer that no double holds is a violation. */
  readonly exactIntegers: boolean;
}

/** Where a value lies: `root`, `inner`, `echoed`, or a number above 1 that the protocol chooses. */
export type Place = number;
/** Nothing in the value concerns the protocol. */
export const inner: Place = 0;
/** The outermost value. */
export const root: Place = 1;
/** Like `inner`; a number is only sent back as it was written, so that any size will do. */
export const echoed: Place = -1;

/** The members that a protocol scans for. Constant; the results of one scan are in `Found`. */
export interface ScanPlan<Found> {
  readonly rules: ScanRules;
  /** The results of a new scan. */
  readonly start: () => Found;
  /** A value begins whose place is `root` or one of the protocol. */
  readonly enter: (found: Found, place: Place, isObject: boolean) => void;
  /** The place of a member of an object whose place is `root` or one of the protocol. */
  readonly placeOfMember: (place: Place, name: string) => Place;
  /** The place of the items of such an array. */
  readonly placeOfItems: (place: Place) => Place;
  /** A member of such an object ended: where the bytes of its value are. */
  readonly member: (found: Found, place: Place, name: string, start: number, end: number) => void;
}

/** Scanning functions return it in place of a position. */
export const failed = -1;

/** The state of one scan. Positions travel as return values, because that is fastest; a negative one is a violation. */
export interface Cursor {
  readonly bytes: Buffer;
  /** The same as text, where every byte is a character: then names are cut from it without decoding. */
  readonly ascii: string | undefined;
  readonly rules: ScanRules;
  violation: Violation;
  violationAt: number;
  /** Whether the string scanned last holds an escape. */
  escaped: boolean;
  /** Position of the first control character in a text or a name; negative if it has none. */
  controlAt: number;
}

/** The state of a scan that also looks for what concerns a protocol. */
export interface ValueCursor<Found> extends Cursor {
  readonly plan: ScanPlan<Found>;
  readonly found: Found;
}

export function createCursor<Found>(
  bytes: Buffer,
  ascii: string | undefined,
  plan: ScanPlan<Found>,
): ValueCursor<Found> {
  return {
    bytes,
    ascii,
    rules: plan.rules,
    violation: "syntax",
    violationAt: 0,
    escaped: false,
    controlAt: failed,
    plan,
    found: plan.start(),
  };
}

/** Notes what is wrong and where. */
export function fail(cursor: Cursor, violation: Violation, at: number): number {
  cursor.violation = violation;
  cursor.violationAt = at;
  return failed;
}

/** The ways in which a text is not acceptable JSON. */
export type Violation =
  | `empty-${ScanRules["noun"]}`
  | `${ScanRules["noun"]}-too-large`
  | "encoding"
  | "byte-order-mark"
  | "syntax"
  | "trailing-bytes"
  | "too-deep"
  | "duplicate-key"
  | "forbidden-key"
  | "lone-surrogate"
  | "string-too-long"
  | "array-too-long"
  | "number-not-finite"
  | "number-inexact";

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
  const mustBeExact = !hasExponent && !hasFraction && cursor.rules.exactIntegers;
  if (mustBeExact ? at - start <= surelyExactBytes : !hasExponent && at - start < surelyFiniteBytes)
    return at;
  const text = bytes.toString("latin1", start, at);
  const value = Number(text);
  if (!Number.isFinite(value)) return fail(cursor, "number-not-finite", start);
  return !mustBeExact || isExactInteger(text, value) ? at : fail(cursor, "number-inexact", start);
}

function skipDigits(bytes: Buffer, from: number): number {
  let at = from;
  for (let byte = bytes[at]; byte !== undefined && byte >= 0x30 && byte <= 0x39; byte = bytes[at]) at += 1;
  return at;
}
