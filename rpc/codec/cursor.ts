import type { Violation } from "./violation.ts";

/** What scanning functions return in place of a position. */
export const failed = -1;

/** A range of bytes of the message. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** Where the members of one request object lie that are needed as bytes. */
export interface CallRanges {
  id?: ByteRange;
  params?: ByteRange;
}

/** The state of one scan. Positions travel as return values, because that is fastest; a negative one is a violation. */
export interface Cursor {
  readonly bytes: Buffer;
  /** The same as text, where every byte is a character: then names are cut from it without decoding. */
  readonly ascii: string | undefined;
  readonly depthMax: number;
  violation: Violation;
  violationAt: number;
  /** Whether the string scanned last holds an escape. */
  escaped: boolean;
  /** Of the request object, or of those in the outermost array, in order. */
  readonly calls: CallRanges[];
}

export function createCursor(bytes: Buffer, ascii: string | undefined, depthMax: number): Cursor {
  return { bytes, ascii, depthMax, violation: "syntax", violationAt: 0, escaped: false, calls: [] };
}

/** Notes what is wrong and where. */
export function fail(cursor: Cursor, violation: Violation, at: number): number {
  cursor.violation = violation;
  cursor.violationAt = at;
  return failed;
}
