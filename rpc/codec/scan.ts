import { isAscii, isUtf8 } from "node:buffer";
import { createCursor, type CallRanges } from "./cursor.ts";
import type { MessageLimits } from "./limits.ts";
import { scanRoot, skipSpace } from "./scan-value.ts";
import type { Violation } from "./violation.ts";

/** A message that is acceptable JSON. */
export interface ScannedMessage {
  readonly ok: true;
  readonly text: string;
  /** Of the request object, or of the items of the outermost array, in order. */
  readonly calls: readonly CallRanges[];
}

/** A message that is not, why, and the offset of the first byte at fault. */
export interface RefusedMessage {
  readonly ok: false;
  readonly violation: Violation;
  readonly atByte: number;
}

/**
 * Checks a message against the grammar of JSON (RFC 8259) and the limits in one pass over its bytes, and finds where
 * ids and params lie. Builds no values: `JSON.parse` does that faster, on a message known to be sound.
 */
export function scanMessage(bytes: Buffer, limits: MessageLimits): ScannedMessage | RefusedMessage {
  if (bytes.length > limits.bytes) return refused("message-too-large", limits.bytes);
  const allAscii = isAscii(bytes);
  if (!allAscii && !isUtf8(bytes)) return refused("encoding");
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return refused("byte-order-mark");
  const text = bytes.toString(allAscii ? "latin1" : "utf8");
  const cursor = createCursor(bytes, allAscii ? text : undefined, limits.depth);
  const start = skipSpace(cursor, 0);
  if (start === bytes.length) return refused("empty-message", start);
  const end = scanRoot(cursor, start);
  if (end < 0) return refused(cursor.violation, cursor.violationAt);
  const rest = skipSpace(cursor, end);
  if (rest < bytes.length) return refused("trailing-bytes", rest);
  return { ok: true, text, calls: cursor.calls };
}

function refused(violation: Violation, atByte = 0): RefusedMessage {
  return { ok: false, violation, atByte };
}
