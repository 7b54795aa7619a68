import type { Protocol, ScanRules } from "./protocol.ts";
import type { Violation } from "./violation.ts";

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
  /** Position of the first control character in a text or a name; negative: there is none. */
  controlAt: number;
}

/** The state of a scan that also looks for what concerns a protocol. */
export interface ValueCursor<Found> extends Cursor {
  readonly protocol: Protocol<Found>;
  readonly found: Found;
}

export function createCursor<Found>(
  bytes: Buffer,
  ascii: string | undefined,
  protocol: Protocol<Found>,
): ValueCursor<Found> {
  return {
    bytes,
    ascii,
    rules: protocol.rules,
    violation: "syntax",
    violationAt: 0,
    escaped: false,
    controlAt: failed,
    protocol,
    found: protocol.start(),
  };
}

/** Notes what is wrong and where. */
export function fail(cursor: Cursor, violation: Violation, at: number): number {
  cursor.violation = violation;
  cursor.violationAt = at;
  return failed;
}
