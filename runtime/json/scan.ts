import { isAscii, isUtf8 } from "node:buffer";
import { createCursor } from "./cursor.ts";
import { root, type Protocol } from "./protocol.ts";
import { scanValue, skipSpace } from "./scan-value.ts";
import type { Violation } from "./violation.ts";

/** Bytes that are acceptable JSON. */
export interface ScannedText<Found> {
  readonly ok: true;
  readonly text: string;
  readonly found: Found;
  /** Offset of the first control character in a text or a name; negative: there is none. */
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
export function scanJson<Found>(bytes: Buffer, protocol: Protocol<Found>): ScannedText<Found> | RefusedText {
  const { bytesMax } = protocol.rules;
  if (bytes.length > bytesMax) return refused("too-large", bytesMax);
  const allAscii = isAscii(bytes);
  if (!allAscii && !isUtf8(bytes)) return refused("encoding");
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return refused("byte-order-mark");
  const text = bytes.toString(allAscii ? "latin1" : "utf8");
  const cursor = createCursor(bytes, allAscii ? text : undefined, protocol);
  const start = skipSpace(cursor, 0);
  if (start === bytes.length) return refused("empty", start);
  const end = scanValue(cursor, start, 1, root);
  if (end < 0) return refused(cursor.violation, cursor.violationAt);
  const rest = skipSpace(cursor, end);
  if (rest < bytes.length) return refused("trailing-bytes", rest);
  return { ok: true, text, found: cursor.found, controlAt: cursor.controlAt };
}

function refused(violation: Violation, atByte = 0): RefusedText {
  return { ok: false, violation, atByte };
}
