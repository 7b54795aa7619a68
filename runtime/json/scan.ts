import { isAscii, isUtf8 } from "node:buffer";
import {
  createCursor,
  type Cursor,
  fail,
  failed,
  scanNumber,
  scanString,
  type ValueCursor,
  type Violation,
  inner,
  type Place,
  type ScanPlan,
  root,
} from "./tokens.ts";

/** Bytes that are acceptable JSON. */
export interface ScannedText<Found> {
  readonly ok: true;
  readonly text: string;
  readonly found: Found;
  /** Offset of the first control character in a text or a name; negative if it has none. */
  readonly controlAt: number;
}

/** Bytes that are not, why, and the offset of the first one at fault. */
export interface RefusedText {
  readonly ok: false;
  readonly violation: Violation;
  readonly atByte: number;
}

/**
 * Checks bytes against the grammar of JSON (RFC 8259) and the rules of a protocol in one pass, and finds what the
 * protocol looks for. Builds no values: `JSON.parse` does that faster, on a text known to be sound.
 */
export function scanJson<Found>(bytes: Buffer, plan: ScanPlan<Found>): ScannedText<Found> | RefusedText {
  const { bytesMax, noun } = plan.rules;
  if (bytes.length > bytesMax) return refused(`${noun}-too-large`, bytesMax);
  const allAscii = isAscii(bytes);
  if (!allAscii && !isUtf8(bytes)) return refused("encoding");
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return refused("byte-order-mark");
  const text = bytes.toString(allAscii ? "latin1" : "utf8");
  const cursor = createCursor(bytes, allAscii ? text : undefined, plan);
  const start = skipSpace(cursor, 0);
  if (start === bytes.length) return refused(`empty-${noun}`, start);
  const end = scanValue(cursor, start, 1, root);
  if (end < 0) return refused(cursor.violation, cursor.violationAt);
  const rest = skipSpace(cursor, end);
  if (rest < bytes.length) return refused("trailing-bytes", rest);
  return { ok: true, text, found: cursor.found, controlAt: cursor.controlAt };
}

function refused(violation: Violation, atByte = 0): RefusedText {
  return { ok: false, violation, atByte };
}

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openArray = 0x5b;
const closeArray = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

/** Scans the value that starts at a position; answers where it ends. Recursion is bounded by `depthMax`. */
function scanValue<Found>(cursor: ValueCursor<Found>, at: number, depth: number, place: Place): number {
  const first = cursor.bytes[at];
  if (place > inner) cursor.plan.enter(cursor.found, place, first === openObject);
  switch (first) {
    case quote:
      return scanString(cursor, at);
    case openObject:
      return depth > cursor.rules.depthMax
        ? fail(cursor, "too-deep", at)
        : scanObject(cursor, at, depth, place);
    case openArray:
      return depth > cursor.rules.depthMax
        ? fail(cursor, "too-deep", at)
        : scanArray(cursor, at, depth, place);
    case 0x74:
      return scanWord(cursor, at, "true");
    case 0x66:
      return scanWord(cursor, at, "false");
    case 0x6e:
      return scanWord(cursor, at, "null");
    default:
      return scanNumber(cursor, at, place);
  }
}

/** The position of the next byte that is not white space, or the end. */
function skipSpace({ bytes }: Cursor, from: number): number {
  let at = from;
  for (; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) break;
  }
  return at;
}

function scanObject<Found>(cursor: ValueCursor<Found>, open: number, depth: number, place: Place): number {
  const { bytes, plan } = cursor;
  let at = skipSpace(cursor, open + 1);
  if (bytes[at] === closeObject) return at + 1;
  const names = createNames();
  for (;;) {
    if (bytes[at] !== quote) return fail(cursor, "syntax", at);
    const nameEnd = scanString(cursor, at);
    if (nameEnd < 0) return failed;
    const name = takeName(cursor, names, at, nameEnd);
    if (name === undefined) return failed;
    at = skipSpace(cursor, nameEnd);
    if (bytes[at] !== colon) return fail(cursor, "syntax", at);
    const start = skipSpace(cursor, at + 1);
    at =
      bytes[start] === quote
        ? scanString(cursor, start, isMultiline(cursor, name))
        : scanValue(cursor, start, depth + 1, place > inner ? plan.placeOfMember(place, name) : inner);
    if (at < 0) return failed;
    if (place > inner) plan.member(cursor.found, place, name, start, at);
    at = skipSpace(cursor, at);
    if (bytes[at] === closeObject) return at + 1;
    if (bytes[at] !== comma) return fail(cursor, "syntax", at);
    at = skipSpace(cursor, at + 1);
  }
}

function isMultiline({ rules: { multilineName } }: Cursor, name: string): boolean {
  return name.length === multilineName.length && name !== "" && name.toLowerCase() === multilineName;
}

function scanArray<Found>(cursor: ValueCursor<Found>, open: number, depth: number, place: Place): number {
  const { bytes } = cursor;
  const { arrayItemsMax } = cursor.rules;
  const itemPlace = place > inner ? cursor.plan.placeOfItems(place) : inner;
  let at = skipSpace(cursor, open + 1);
  if (bytes[at] === closeArray) return at + 1;
  for (let items = 1; ; items += 1) {
    if (items > arrayItemsMax) return fail(cursor, "array-too-long", at);
    at = scanValue(cursor, at, depth + 1, itemPlace);
    if (at < 0) return failed;
    at = skipSpace(cursor, at);
    if (bytes[at] === closeArray) return at + 1;
    if (bytes[at] !== comma) return fail(cursor, "syntax", at);
    at = skipSpace(cursor, at + 1);
  }
}

function scanWord(cursor: Cursor, at: number, word: string): number {
  for (let index = 0; index < word.length; index += 1) {
    if (cursor.bytes[at + index] !== word.charCodeAt(index)) return fail(cursor, "syntax", at + index);
  }
  return at + word.length;
}

/** The member names seen so far of one object. A list while short: comparing a few strings beats hashing them. */
interface Names {
  readonly list: string[];
  set: Set<string> | undefined;
}

const listedMax = 12;

export function createNames(): Names {
  return { list: [], set: undefined };
}

/** Reads the name just scanned and adds it; nothing, and a violation, if the object has it already or may not have it. */
export function takeName(cursor: Cursor, names: Names, open: number, end: number): string | undefined {
  const name = nameAt(cursor, open, end);
  if (isForbidden(cursor.rules.forbiddenNames, name)) {
    fail(cursor, "forbidden-key", open);
    return undefined;
  }
  if (names.set === undefined ? names.list.includes(name) : names.set.has(name)) {
    fail(cursor, "duplicate-key", open);
    return undefined;
  }
  if (names.set !== undefined) names.set.add(name);
  else if (names.list.push(name) > listedMax) names.set = new Set(names.list);
  return name;
}

/** A loop compares lengths first; `includes` took three times as long. */
function isForbidden(forbidden: readonly string[], name: string): boolean {
  for (let at = 0; at < forbidden.length; at += 1) if (forbidden[at] === name) return true;
  return false;
}

function nameAt({ bytes, ascii, escaped }: Cursor, open: number, end: number): string {
  if (escaped) {
    const name: unknown = JSON.parse(bytes.toString("utf8", open, end));
    return String(name);
  }
  return ascii?.slice(open + 1, end - 1) ?? bytes.toString("utf8", open + 1, end - 1);
}
