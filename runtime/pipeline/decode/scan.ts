import { isAscii, isUtf8 } from "node:buffer";
import type { Violation } from "./violation.ts";
import { createCursor, type Cursor } from "./cursor.ts";
import { bodyBytesMax } from "./limits.ts";
import { scanValue, skipSpace } from "./scan-value.ts";

/** A body that is acceptable JSON. */
export interface ScannedBody {
  readonly ok: true;
  readonly text: string;
  /** The bytes of `params.payload` as sent (D-15); absent where the outermost object has none. */
  readonly payloadBytes?: Buffer;
  /** Offset of the first control character in a text or a name (D-47); absent where there is none. */
  readonly controlAt?: number;
}

/** A body that is not, why, and the offset of the first byte at fault. */
export interface RefusedBody {
  readonly ok: false;
  readonly violation: Violation;
  readonly atByte: number;
}

/**
 * Checks a whole body against the grammar of JSON (RFC 8259) and the limits of D-10 in one pass over its bytes,
 * and finds where `params.payload` lies. Builds no values: `JSON.parse` does that faster, on a body known to be sound.
 */
export function scanBody(body: Buffer): ScannedBody | RefusedBody {
  if (body.length > bodyBytesMax) return refused("body-too-large", bodyBytesMax);
  const allAscii = isAscii(body);
  if (!allAscii && !isUtf8(body)) return refused("encoding");
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return refused("byte-order-mark");
  const text = body.toString(allAscii ? "latin1" : "utf8");
  const cursor = createCursor(body, allAscii ? text : undefined);
  const start = skipSpace(cursor, 0);
  if (start === body.length) return refused("empty-body", start);
  const end = scanValue(cursor, start, 1, "root");
  if (end < 0) return refused(cursor.violation, cursor.violationAt);
  const rest = skipSpace(cursor, end);
  if (rest < body.length) return refused("trailing-bytes", rest);
  return { ok: true, text, ...found(cursor) };
}

function refused(violation: Violation, atByte = 0): RefusedBody {
  return { ok: false, violation, atByte };
}

function found({ bytes, payloadStart, payloadEnd, controlAt }: Cursor): Omit<ScannedBody, "ok" | "text"> {
  return {
    ...(payloadEnd === 0 ? {} : { payloadBytes: bytes.subarray(payloadStart, payloadEnd) }),
    ...(controlAt < 0 ? {} : { controlAt }),
  };
}
