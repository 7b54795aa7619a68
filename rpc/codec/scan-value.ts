import { fail, failed, type CallRanges, type Cursor } from "./cursor.ts";
import { createNames, takeName } from "./names.ts";
import { scanNumber } from "./scan-number.ts";
import { scanString } from "./scan-string.ts";

/** Which part of the message a value is. */
type Place = "root" | "call" | "id" | "inner";

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openArray = 0x5b;
const closeArray = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

/** Scans the outermost value; answers the position after it. */
export function scanRoot(cursor: Cursor, at: number): number {
  return scanValue(cursor, at, 1, "root");
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

function scanValue(cursor: Cursor, at: number, depth: number, place: Place): number {
  if (place === "call") cursor.calls.push({});
  switch (cursor.bytes[at]) {
    case quote:
      return scanString(cursor, at);
    case openObject:
      if (place === "root") cursor.calls.push({});
      return depth > cursor.depthMax ? fail(cursor, "too-deep", at) : scanObject(cursor, at, depth, place);
    case openArray:
      return depth > cursor.depthMax ? fail(cursor, "too-deep", at) : scanArray(cursor, at, depth, place);
    case 0x74:
      return scanWord(cursor, at, "true");
    case 0x66:
      return scanWord(cursor, at, "false");
    case 0x6e:
      return scanWord(cursor, at, "null");
    default:
      return scanNumber(cursor, at, place === "id");
  }
}

function scanObject(cursor: Cursor, open: number, depth: number, place: Place): number {
  const { bytes } = cursor;
  const ranges = place === "root" || place === "call" ? cursor.calls.at(-1) : undefined;
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
    at = scanValue(cursor, start, depth + 1, ranges !== undefined && name === "id" ? "id" : "inner");
    if (at < 0) return failed;
    if (ranges !== undefined) note(ranges, name, start, at);
    at = skipSpace(cursor, at);
    if (bytes[at] === closeObject) return at + 1;
    if (bytes[at] !== comma) return fail(cursor, "syntax", at);
    at = skipSpace(cursor, at + 1);
  }
}

function note(ranges: CallRanges, name: string, start: number, end: number): void {
  if (name === "id") ranges.id = { start, end };
  else if (name === "params") ranges.params = { start, end };
}

function scanArray(cursor: Cursor, open: number, depth: number, place: Place): number {
  const { bytes } = cursor;
  const itemPlace = place === "root" ? "call" : "inner";
  let at = skipSpace(cursor, open + 1);
  if (bytes[at] === closeArray) return at + 1;
  for (;;) {
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
