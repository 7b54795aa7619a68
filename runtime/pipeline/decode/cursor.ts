import type { Violation } from "./violation.ts";

/** What scanning functions return in place of a position. */
export const failed = -1;

/** The state of one scan. Positions travel as return values, because that is fastest; a negative one is a violation. */
export interface Cursor {
  readonly bytes: Buffer;
  /** The same as text, where every byte is a character: then names are cut from it without decoding. */
  readonly ascii: string | undefined;
  violation: Violation;
  violationAt: number;
  /** Byte range of `params.payload`; 0, 0 until it was seen. */
  payloadStart: number;
  payloadEnd: number;
  /** Whether the string scanned last holds an escape. */
  escaped: boolean;
  /** Position of the first control character in a text or a name (D-47); negative: there is none. */
  controlAt: number;
}

export function createCursor(bytes: Buffer, ascii: string | undefined): Cursor {
  return {
    bytes,
    ascii,
    violation: "syntax",
    violationAt: 0,
    payloadStart: 0,
    payloadEnd: 0,
    escaped: false,
    controlAt: failed,
  };
}

/** Notes what is wrong and where. */
export function fail(cursor: Cursor, violation: Violation, at: number): number {
  cursor.violation = violation;
  cursor.violationAt = at;
  return failed;
}
