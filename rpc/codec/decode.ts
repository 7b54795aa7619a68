import type { JsonObject, JsonValue } from "../../runtime/contract/index.ts";
import type { MessageLimits } from "./limits.ts";
import {
  messageProtocol,
  scanMessage,
  type ByteRange,
  type CallRanges,
  type MessageProtocol,
} from "./scan.ts";

/** The bytes of an id as they were sent, `null` where none could be found (section 5). */
export type RawId = string;

export const nullId: RawId = "null";

/** A sound request object (section 4). Without an `id` it is a notification (section 4.1). */
export interface DecodedCall {
  readonly kind: "call";
  readonly id: RawId | undefined;
  readonly method: string;
  readonly params: JsonObject | readonly JsonValue[] | undefined;
  /** The bytes of `params` as they were sent. */
  readonly paramsBytes: Buffer | undefined;
}

/** Something that is no request object: answered as an invalid request, even without an `id`. */
export interface InvalidCall {
  readonly kind: "invalid";
  readonly id: RawId;
  readonly reason: InvalidReason;
}

export type InvalidReason =
  | "not-an-object"
  | "invalid-id"
  | "invalid-jsonrpc"
  | "invalid-method"
  | "invalid-params";

/** A message as the protocol sees it (sections 4 and 6). */
export type DecodedMessage =
  | { readonly kind: "single"; readonly call: DecodedCall | InvalidCall }
  | { readonly kind: "batch"; readonly calls: readonly (DecodedCall | InvalidCall)[] }
  /** Not taken at all: one error with the id `null` is the whole answer. */
  | { readonly kind: "refused"; readonly fault: MessageFault; readonly data: JsonObject };

export type MessageFault = "parseError" | "invalidRequest" | "tooLarge";

export interface DecodeOptions {
  readonly limits: MessageLimits;
  readonly batch: false | { readonly max: number };
  /** Whether parameters of a method are numbers with all their digits. */
  readonly hasExactNumbers?: boolean;
}

/** bytes → calls, by the letter of JSON-RPC 2.0. */
export function createDecode(options: DecodeOptions): (bytes: Buffer) => DecodedMessage {
  const protocol = messageProtocol(options.limits, options.hasExactNumbers);
  return (bytes) => decodeMessage(bytes, protocol, options);
}

function decodeMessage(
  bytes: Buffer,
  protocol: MessageProtocol,
  { limits, batch }: DecodeOptions,
): DecodedMessage {
  const scanned = scanMessage(bytes, protocol);
  if (!scanned.ok) {
    const { violation: reason, atByte } = scanned;
    if (reason === "message-too-large") return refused("tooLarge", { reason, bytesMax: limits.bytes });
    return refused("parseError", { reason, atByte });
  }
  const { text, calls: ranges } = scanned;
  const isBatch = text.trimStart().startsWith("[");
  if (isBatch && batch === false) return refused("invalidRequest", { reason: "batch-not-supported" });
  if (isBatch && ranges.length === 0) return refused("invalidRequest", { reason: "batch-empty" });
  if (isBatch && batch !== false && ranges.length > batch.max)
    return refused("invalidRequest", { reason: "batch-too-long", callsMax: batch.max });
  const root: JsonValue = JSON.parse(text);
  if (!isArray(root)) return { kind: "single", call: readCall(root, bytes, ranges[0]) };
  return { kind: "batch", calls: root.map((item, at) => readCall(item, bytes, ranges[at])) };
}

function refused(fault: MessageFault, data: JsonObject): DecodedMessage {
  return { kind: "refused", fault, data };
}

function readCall(value: JsonValue, bytes: Buffer, ranges: CallRanges = {}): DecodedCall | InvalidCall {
  if (!isObject(value)) return invalid(nullId, "not-an-object");
  const { id, jsonrpc, method, params } = value;
  if (typeof id === "object" ? id !== null : typeof id === "boolean") return invalid(nullId, "invalid-id");
  const rawId = ranges.id === undefined ? undefined : textAt(bytes, ranges.id);
  if (jsonrpc !== "2.0") return invalid(rawId ?? nullId, "invalid-jsonrpc");
  if (typeof method !== "string") return invalid(rawId ?? nullId, "invalid-method");
  if (params !== undefined && (typeof params !== "object" || params === null))
    return invalid(rawId ?? nullId, "invalid-params");
  const paramsBytes =
    ranges.params === undefined ? undefined : bytes.subarray(ranges.params.start, ranges.params.end);
  return { kind: "call", id: rawId, method, params, paramsBytes };
}

function invalid(id: RawId, reason: InvalidReason): InvalidCall {
  return { kind: "invalid", id, reason };
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
