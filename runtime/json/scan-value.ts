import { fail, failed, type Cursor, type ValueCursor } from "./cursor.ts";
import { createNames, takeName } from "./names.ts";
import { inner, type Place } from "./protocol.ts";
import { scanNumber } from "./scan-number.ts";
import { scanString } from "./scan-string.ts";

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openArray = 0x5b;
const closeArray = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

/** Scans the value that starts at a position; answers where it ends. Recursion is bounded by `depthMax`. */
export function scanValue<Found>(
  cursor: ValueCursor<Found>,
  at: number,
  depth: number,
  place: Place,
): number {
  const first = cursor.bytes[at];
  if (place > inner) cursor.protocol.enter(cursor.found, place, first === openObject);
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
export function skipSpace({ bytes }: Cursor, from: number): number {
  let at = from;
  for (; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) break;
  }
  return at;
}

function scanObject<Found>(cursor: ValueCursor<Found>, open: number, depth: number, place: Place): number {
  const { bytes, protocol } = cursor;
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
        : scanValue(cursor, start, depth + 1, place > inner ? protocol.placeOfMember(place, name) : inner);
    if (at < 0) return failed;
    if (place > inner) protocol.member(cursor.found, place, name, start, at);
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
  const itemPlace = place > inner ? cursor.protocol.placeOfItems(place) : inner;
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
