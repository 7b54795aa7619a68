import {
  echoed,
  inner,
  root,
  scanJson,
  type Place,
  type Protocol,
  type RefusedText,
  type Violation as TextViolation,
} from "../../json/index.ts";
import type { MessageLimits } from "./limits.ts";

/** Why a message is not taken as JSON: sent as `data.reason` of a parse error. */
export type Violation =
  | Exclude<TextViolation, "empty" | "too-large" | "string-too-long" | "array-too-long">
  | "empty-message"
  | "message-too-large";

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

/** A message that is acceptable JSON. */
export interface ScannedMessage {
  readonly ok: true;
  readonly text: string;
  /** Positions in the request object, or in the items of the outermost array, in order. */
  readonly calls: readonly CallRanges[];
}

/** A message that is not, why, and the offset of the first byte at fault. */
export interface RefusedMessage {
  readonly ok: false;
  readonly violation: Violation;
  readonly atByte: number;
}

const call: Place = 2;

export type MessageProtocol = Protocol<CallRanges[]>;

/**
 * The protocol that messages of a service are scanned for, made once. Where parameters are numbers with all their
 * digits, integers of any size come through, and validation decides.
 */
export function messageProtocol(limits: MessageLimits, hasExactNumbers = false): MessageProtocol {
  return {
    rules: {
      bytesMax: limits.bytes,
      depthMax: limits.depth,
      // No message has more of either than bytes.
      arrayItemsMax: limits.bytes,
      stringCharactersMax: limits.bytes,
      // Code that copies members one by one would set the prototype.
      forbiddenNames: ["__proto__"],
      multilineName: "",
      exactIntegers: !hasExactNumbers,
    },
    start: () => [],
    enter: (calls, place, isObject) => {
      if (place === call || (place === root && isObject)) calls.push({});
    },
    placeOfMember: (_place, name) => (name === "id" ? echoed : inner),
    placeOfItems: (place) => (place === root ? call : inner),
    member: (calls, _place, name, start, end) => {
      const ranges = calls.at(-1);
      if (ranges === undefined) return;
      if (name === "id") ranges.id = { start, end };
      else if (name === "params") ranges.params = { start, end };
    },
  };
}

/** Checks a message against the limits and finds where ids and params lie. */
export function scanMessage(bytes: Buffer, protocol: MessageProtocol): ScannedMessage | RefusedMessage {
  const scanned = scanJson(bytes, protocol);
  if (!scanned.ok) return refused(scanned);
  return { ok: true, text: scanned.text, calls: scanned.found };
}

function refused({ violation, atByte }: RefusedText): RefusedMessage {
  switch (violation) {
    case "empty":
      return { ok: false, violation: "empty-message", atByte };
    case "too-large":
      return { ok: false, violation: "message-too-large", atByte };
    case "string-too-long":
    case "array-too-long":
      throw new Error(`the rules of messages know no ${violation}`);
    default:
      return { ok: false, violation, atByte };
  }
}
