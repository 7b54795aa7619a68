import { jsonRpcFrame, type Frame, type JsonObject, type JsonValue } from "../../contract/index.ts";
import { scanJson, type ScanPlan, echoed, inner, root, type Place } from "../../json/index.ts";
import { refuse, type DecodedCall, type InvalidCall, type Message, type RefusedDetail } from "../port.ts";

/** The id where none could be found (section 5). */
const nullId = "null";

/** A sound request object (section 4). Without an `id` it is a notification (section 4.1). */
export interface JsonRpcCall extends DecodedCall {
  readonly params: JsonObject | readonly JsonValue[] | undefined;
  /** The bytes of `params` as they were sent. */
  readonly paramsBytes: Buffer | undefined;
}

/** A message as the protocol sees it (sections 4 and 6). */
type DecodedMessage = Message<JsonRpcCall>;

/** `invalid-…` names the member, as the frame does: `invalid-method`. */
type InvalidReason = "duplicate-key" | "not-an-object" | `invalid-${string}`;

export interface DecodeOptions {
  readonly frame: Frame;
  readonly limits: MessageLimits;
  readonly batch: false | { readonly max: number };
  /** Whether parameters of a method are numbers with all their digits. */
  readonly hasExactNumbers?: boolean;
}

/** bytes → calls, by the letter of JSON-RPC 2.0, whatever the members are called. */
export function createDecode(options: DecodeOptions): (bytes: Buffer) => DecodedMessage {
  const plan = messagePlan(options.limits, options.hasExactNumbers, options.frame);
  return (bytes) => decodeMessage(bytes, plan, options);
}

function decodeMessage(
  bytes: Buffer,
  plan: ScanPlan<CallRanges[]>,
  { limits, batch, frame }: DecodeOptions,
): DecodedMessage {
  const scanned = scanJson(bytes, plan);
  if (!scanned.ok) {
    const { violation: reason, atByte } = scanned;
    const calls =
      reason === "duplicate-key" && batch !== false ? readApart(bytes, plan, batch.max, frame) : undefined;
    if (calls !== undefined) return { kind: "batch", calls };
    if (reason === "message-too-large")
      return refused("tooLarge", { reason, data: { bytesMax: limits.bytes } });
    return refused("parseError", { reason, data: { atByte } });
  }
  const { text, found: ranges } = scanned;
  const isBatch = text.trimStart().startsWith("[");
  if (isBatch && batch === false) return refused("invalidRequest", { reason: "batch-not-supported" });
  if (isBatch && ranges.length === 0) return refused("invalidRequest", { reason: "batch-empty" });
  if (isBatch && batch !== false && ranges.length > batch.max)
    return refused("invalidRequest", { reason: "batch-too-long", data: { callsMax: batch.max } });
  const root: JsonValue = JSON.parse(text);
  if (!isArray(root)) return { kind: "single", call: readCall(root, bytes, frame, ranges[0]) };
  return { kind: "batch", calls: root.map((item, at) => readCall(item, bytes, frame, ranges[at])) };
}

/**
 * The calls of a batch with repeated keys only. Each item with one is an invalid request with its own id, and the
 * others are called. Undefined for all other messages.
 */
function readApart(
  bytes: Buffer,
  plan: ScanPlan<CallRanges[]>,
  callsMax: number,
  frame: Frame,
): readonly (JsonRpcCall | InvalidCall)[] | undefined {
  const items = isJson(bytes) ? partsOf(bytes, ["[", "]"]) : undefined;
  if (items === undefined || items.length > callsMax) return undefined;
  const calls = items.map((item) => {
    const scanned = scanJson(item, plan);
    if (scanned.ok) return readCall(JSON.parse(scanned.text), item, frame, scanned.found[0]);
    return scanned.violation === "duplicate-key"
      ? invalid(onlyId(item, frame.id), "duplicate-key")
      : undefined;
  });
  const read = calls.filter((each) => each !== undefined);
  return read.length === calls.length ? read : undefined;
}

/** Whether the grammar holds to the end: a scan ends at the first fault. */
function isJson(bytes: Buffer): boolean {
  try {
    JSON.parse(bytes.toString());
    return true;
  } catch {
    return false;
  }
}

/** The parts of an outermost JSON array or object, as bytes; undefined if the text is neither. */
function partsOf(bytes: Buffer, [open, close]: readonly [string, string]): readonly Buffer[] | undefined {
  const text = bytes.toString("latin1");
  const begin = text.search(/[^ \t\n\r]/);
  const end = text.lastIndexOf(close);
  if (text[begin] !== open || end <= begin || /[^ \t\n\r]/.test(text.slice(end + 1))) return undefined;
  const parts: Buffer[] = [];
  let [from, depth, isText] = [begin + 1, 0, false];
  for (let at = from; at < end; at += 1) {
    const character = text[at];
    if (isText && character === "\\") at += 1;
    else if (character === '"') isText = !isText;
    else if (isText) continue;
    else if (character === "{" || character === "[") depth += 1;
    else if (character === "}" || character === "]") depth -= 1;
    else if (character === "," && depth === 0) {
      parts.push(bytes.subarray(from, at));
      from = at + 1;
    }
  }
  return [...parts, bytes.subarray(from, end)];
}

/** The id of a request in which some key is written twice, as it was sent; `null` where that is the id. */
function onlyId(item: Buffer, idName: string): string {
  const ids = (partsOf(item, ["{", "}"]) ?? []).flatMap((part) => {
    const text = part.toString();
    const [before = "", name] = /^\s*("(?:[^"\\]|\\.)*")\s*:/.exec(text) ?? [];
    return name !== undefined && JSON.parse(name) === idName ? [text.slice(before.length).trim()] : [];
  });
  const [only = nullId, ...others] = ids;
  return others.length === 0 && /^["\d-]/.test(only) ? only : nullId;
}

function refused(fault: "parseError" | "invalidRequest" | "tooLarge", detail: RefusedDetail): DecodedMessage {
  return { kind: "refused", id: nullId, refused: refuse(fault, detail) };
}

function readCall(
  value: JsonValue,
  bytes: Buffer,
  frame: Frame,
  ranges: CallRanges = {},
): JsonRpcCall | InvalidCall {
  if (!isObject(value)) return invalid(nullId, "not-an-object");
  const { version } = frame;
  const id = ownMember(value, frame.id);
  if (typeof id === "object" ? id !== null : typeof id === "boolean")
    return invalid(nullId, `invalid-${frame.id}`);
  const rawId = ranges.id === undefined ? undefined : textAt(bytes, ranges.id);
  if (version !== undefined && ownMember(value, version.member) !== version.value)
    return invalid(rawId ?? nullId, `invalid-${version.member}`);
  const method = ownMember(value, frame.method);
  if (typeof method !== "string") return invalid(rawId ?? nullId, `invalid-${frame.method}`);
  const params = ownMember(value, frame.params);
  if (params !== undefined && (typeof params !== "object" || params === null))
    return invalid(rawId ?? nullId, `invalid-${frame.params}`);
  const paramsBytes =
    ranges.params === undefined ? undefined : bytes.subarray(ranges.params.start, ranges.params.end);
  return { kind: "call", id: rawId, method, params, paramsBytes };
}

function invalid(id: string, reason: InvalidReason): InvalidCall {
  return { kind: "invalid", id, refused: refuse("invalidRequest", { reason }) };
}

/** A dialect may call a member what every object inherits: `constructor`. */
function ownMember(value: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

function textAt(bytes: Buffer, { start, end }: ByteRange): string {
  return bytes.toString("utf8", start, end);
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === "object" && value !== null && !isArray(value);
}

/** `Array.isArray` does not narrow readonly arrays. */
export function isArray(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** Limits on one message, whatever carries it. */
export interface MessageLimits {
  /** Bytes of a message. Default 1 MiB. */
  readonly bytes: number;
  /** Nesting of objects and arrays; the outermost value is at depth 1. Default 64, at most 512. */
  readonly depth: number;
}

const defaultMessageLimits: MessageLimits = { bytes: 1024 * 1024, depth: 64 };

/** Deeper messages could exhaust the stack of the scanner and of what handlers do with the values. */
const depthMost = 512;

/** @throws RangeError where a limit is no positive integer, or the depth is more than 512. */
export function messageLimits(chosen: Partial<MessageLimits> = {}): MessageLimits {
  const limits = { ...defaultMessageLimits, ...chosen };
  for (const [name, value] of [
    ["messageBytes", limits.bytes],
    ["depth", limits.depth],
  ] as const) {
    if (!Number.isSafeInteger(value) || value < 1)
      throw new RangeError(`limits.${name} is ${value}: give a positive integer`);
  }
  if (limits.depth > depthMost)
    throw new RangeError(`limits.depth is ${limits.depth}: give at most ${depthMost}`);
  return limits;
}

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
export function messagePlan(
  limits: MessageLimits,
  hasExactNumbers = false,
  { id, params }: Frame = jsonRpcFrame,
): ScanPlan<CallRanges[]> {
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
    placeOfMember: (_place, name) => (name === id ? echoed : inner),
    placeOfItems: (place) => (place === root ? call : inner),
    member: (calls, _place, name, start, end) => {
      const ranges = calls.at(-1);
      if (ranges === undefined) return;
      if (name === id) ranges.id = { start, end };
      else if (name === params) ranges.params = { start, end };
    },
  };
}
