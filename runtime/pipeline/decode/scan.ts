import { omitUndefined } from "../../contract/index.ts";
import {
  inner,
  root,
  scanJson,
  type Place,
  type Protocol,
  type RefusedText,
  type Violation as TextViolation,
} from "../../json/index.ts";
import { arrayItemsMax, bodyBytesMax, depthMax, multilineName, stringCharactersMax } from "./limits.ts";

/** The ways in which a body is not acceptable JSON (D-10): sent as `data.reason`. */
export type Violation = Exclude<TextViolation, "empty" | "too-large"> | "empty-body" | "body-too-large";

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

/** The range of bytes of `params.payload`; 0, 0 until it was seen. */
interface PayloadRange {
  start: number;
  end: number;
}

const params: Place = 2;

const envelope: Protocol<PayloadRange> = {
  rules: {
    bytesMax: bodyBytesMax,
    depthMax,
    arrayItemsMax,
    stringCharactersMax,
    // These reach into JavaScript's prototypes (D-10).
    forbiddenNames: ["__proto__", "constructor", "prototype"],
    multilineName,
    exactIntegers: false,
  },
  start: () => ({ start: 0, end: 0 }),
  enter: () => undefined,
  placeOfMember: (place, name) => (place === root && isName(name, "params") ? params : inner),
  placeOfItems: () => inner,
  member: (found, place, name, start, end) => {
    if (place !== params || !isName(name, "payload")) return;
    found.start = start;
    found.end = end;
  },
};

/** Names match ignoring case (D-11); that an object has no second spelling of one is checked when it is read. */
function isName(name: string, wanted: string): boolean {
  return name.length === wanted.length && name.toLowerCase() === wanted;
}

/** Checks a whole body against the limits of D-10 and finds where `params.payload` lies. */
export function scanBody(body: Buffer): ScannedBody | RefusedBody {
  const scanned = scanJson(body, envelope);
  if (!scanned.ok) return refused(scanned);
  const { text, found, controlAt } = scanned;
  return {
    ok: true,
    text,
    ...omitUndefined({
      payloadBytes: found.end === 0 ? undefined : body.subarray(found.start, found.end),
      controlAt: controlAt < 0 ? undefined : controlAt,
    }),
  };
}

function refused({ violation, atByte }: RefusedText): RefusedBody {
  switch (violation) {
    case "empty":
      return { ok: false, violation: "empty-body", atByte };
    case "too-large":
      return { ok: false, violation: "body-too-large", atByte };
    default:
      return { ok: false, violation, atByte };
  }
}
