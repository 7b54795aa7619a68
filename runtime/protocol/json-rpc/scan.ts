import { echoed, inner, root, type Place, type ScanPlan } from "../../json/index.ts";
import type { MessageLimits } from "./limits.ts";

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

const call: Place = 2;

/**
 * The scan of a service's messages, made once: the request object, or the items of the outermost array, in order.
 * Where parameters are numbers with all their digits, integers of any size come through, and validation decides.
 */
export function messagePlan(limits: MessageLimits, hasExactNumbers = false): ScanPlan<CallRanges[]> {
  return {
    rules: {
      noun: "message",
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
