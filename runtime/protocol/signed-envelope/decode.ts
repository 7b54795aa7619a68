import {
  type HeldValue,
  type SignedInterfaceDescriptor,
  type JsonObject,
  type JsonValue,
  type MethodDescriptor,
  omitUndefined,
} from "../../contract/index.ts";
import { refuse, type Refused, type RefusedDetail } from "../port.ts";
import type { Envelope, EnvelopedRequest } from "./envelope.ts";
import { inner, type Place, type RefusedText, root, scanJson, type ScanPlan } from "../../json/index.ts";

/**
 * bytes → Envelope: JSON hygiene (D-10), then flat or enveloped by shape (D-22), then the envelope (D-09). `methodPath` is
 * the path of the request where it is one of methods alone.
 */
export type Decode = (body: Buffer, methodPath?: string) => Envelope | RefusedEnvelope;

/** A body that is no request; with its id, once that is known to be valid. */
export interface RefusedEnvelope {
  readonly kind: "refused";
  readonly id: string | null;
  readonly refused: Refused;
}

export function createDecode(options: DecodeOptions): Decode {
  const flatByPath = Map.groupBy(flatMethodsOf(options.interfaceDescriptor), ({ method }) => method.path);
  const envelopeOf = readEnvelope(options);

  return function decode(body, methodPath) {
    const flatMethods = flatByPath.get(methodPath) ?? [];
    const scanned = scanBody(body);
    if (!scanned.ok) {
      const { violation: reason, atByte } = scanned;
      const fault = reason === "body-too-large" ? "tooLarge" : "parseError";
      return refused(null, refuse(fault, { fieldName: "body", reason, data: { atByte } }));
    }
    const root: JsonValue = JSON.parse(scanned.text);
    if (!isObject(root)) {
      const reason = Array.isArray(root) ? "batch" : "not-an-object";
      return refused(null, refuse("invalidRequest", { fieldName: "body", reason }));
    }
    const envelope =
      flatMethods.length === 0 || isEnveloped(root)
        ? envelopeOf(root, scanned.payloadBytes)
        : flatOf(root, body, flatMethods);
    if (envelope.kind === "refused" || scanned.controlAt === undefined) return envelope;
    const id = envelope.kind === "flat" ? null : envelope.id;
    return refused(id, refuse("invalidParams", controlFault(envelope.payload, scanned.controlAt)));
  };
}

function refused(id: string | null, refusal: Refused): RefusedEnvelope {
  return { kind: "refused", id, refused: refusal };
}

function flatOf(
  payload: JsonObject,
  payloadBytes: Buffer,
  methods: readonly FlatMethod[],
): Envelope | RefusedEnvelope {
  const method = selectedMethod(payload, methods);
  return method === undefined
    ? refused(null, unselected(payload, methods))
    : { kind: "flat", method, payload, payloadBytes };
}

const envelopeMarks: ReadonlySet<string> = new Set(["method", "params", "jsonrpc"]);

function isEnveloped(root: JsonObject): boolean {
  return Object.keys(root).some((name) => envelopeMarks.has(name) || envelopeMarks.has(foldName(name)));
}

interface DecodeOptions {
  readonly interfaceDescriptor: Pick<SignedInterfaceDescriptor, "methods" | "missingAuth" | "requestId">;
  readonly rejectUnknown: boolean;
}

/** Limits on a request body (D-10). */
export const bodyBytesMax = 256 * 1024;
/** Nesting of objects and arrays; the outermost value is at depth 1. */
const depthMax = 32;
/** Unicode code points of one string, keys included. */
const stringCharactersMax = 4096;
const arrayItemsMax = 1000;
/** Unicode code points of a request `id` (D-09). */
const idCharactersMax = 128;
/** The member whose text may hold CR and LF, folded: a PEM block has lines (D-47). */
const multilineName = "publickey";

const envelopeNames = memberNames("id", "jsonrpc", "method", "params");
const paramsNames = memberNames("api", "payload");

type ReadEnvelope = (
  root: JsonObject,
  payloadBytes: Buffer | undefined,
) => EnvelopedRequest | RefusedEnvelope;

/** Reads the request envelope of section 1, by the rules of D-09. */
function readEnvelope({ interfaceDescriptor, rejectUnknown }: DecodeOptions): ReadEnvelope {
  const apiNames = memberNames(...Object.keys(interfaceDescriptor.missingAuth));
  const isRequestId = requestIdCheck(interfaceDescriptor);

  /** What is wrong with the names of an object's members. */
  function faultIn({
    doubled,
    unknown,
  }: Members<string>): readonly [field: string, reason: string] | undefined {
    if (doubled !== undefined) return [doubled, "two-spellings"];
    return unknown !== undefined && rejectUnknown ? [unknown, "unknown-field"] : undefined;
  }

  return (root, payloadBytes) => {
    const sent = root["id"];
    let known = isRequestId(sent, root["method"]) ? sent : null;
    const invalid = (fieldName: string, reason = `invalid-${fieldName}`): RefusedEnvelope =>
      refused(known, refuse("invalidRequest", { fieldName, reason }));
    const outer = pickMembers(root, envelopeNames);
    const outerFault = faultIn(outer);
    if (outerFault !== undefined) return invalid(...outerFault);
    const { id, jsonrpc, method, params } = outer.values;
    if (!isRequestId(id, method)) return invalid("id");
    known = id;
    if (jsonrpc !== undefined && jsonrpc !== "2.0") return invalid("jsonrpc");
    if (typeof method !== "string" || method === "") return invalid("method");
    if (!isObject(params)) return invalid("params");
    const inner = pickMembers(params, paramsNames);
    const innerFault = faultIn(inner);
    if (innerFault !== undefined) return invalid(...innerFault);
    const { api, payload } = inner.values;
    if (!isObject(api)) return invalid("api");
    if (!isObject(payload) || payloadBytes === undefined) return invalid("payload");
    const auth = pickMembers(api, apiNames);
    const authFault = faultIn(auth);
    if (authFault !== undefined) return invalid(...authFault);
    return { kind: "enveloped", id, methodName: method, api: auth.values, payload, payloadBytes };
  };
}

/** Whether a value is an id of a request; a method may have a rule of its own for them. */
function requestIdCheck({ requestId, methods }: Pick<SignedInterfaceDescriptor, "requestId" | "methods">) {
  const usual = requestId === undefined ? undefined : new RegExp(requestId, "u");
  const own = new Map<JsonValue | undefined, RegExp>();
  for (const { name, transport } of Object.values(methods))
    if (transport.kind === "enveloped" && transport.requestId !== undefined)
      own.set(name, new RegExp(transport.requestId, "u"));
  return (value: JsonValue | undefined, method: JsonValue | undefined): value is string => {
    if (typeof value !== "string" || value === "") return false;
    if (value.length > idCharactersMax && Array.from(value).length > idCharactersMax) return false;
    return (own.get(method) ?? usual)?.test(value) ?? true;
  };
}

/** Whether a JSON value is an object. */
export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const ascii = /^[\x20-\x7e]*$/;

/** A name as it is compared: ASCII letters ignore case (D-11); no other letter is folded into them. */
export function foldName(name: string): string {
  return ascii.test(name) ? name.toLowerCase() : name;
}

/** The named members of an object, whatever their case. */
interface Members<Name extends string> {
  readonly values: Readonly<Partial<Record<Name, JsonValue>>>;
  /** A name of which the object has two spellings. */
  readonly doubled?: Name;
  /** A member it has besides. */
  readonly unknown?: string;
}

/** Picks members by lower-case keys of `names`, which give the name each is filed under. */
function pickMembers<Name extends string>(
  object: JsonObject,
  names: ReadonlyMap<string, Name>,
): Members<Name> {
  const values: Partial<Record<Name, JsonValue>> = {};
  let doubled: Name | undefined;
  let unknown: string | undefined;
  for (const key of Object.keys(object)) {
    const name = names.get(key) ?? names.get(foldName(key));
    const value = object[key];
    if (name === undefined || value === undefined) unknown ??= key;
    else if (values[name] === undefined) values[name] = value;
    else doubled ??= name;
  }
  return { values, ...omitUndefined({ doubled, unknown }) };
}

/** The names, by their lower-case form. */
function memberNames<const Name extends string>(...names: readonly Name[]): ReadonlyMap<string, Name> {
  return new Map(names.map((name) => [name.toLowerCase(), name]));
}

/**
 * The fault of a request that holds a control character (D-47). It names the field, if the character is in a value of
 * the payload, and always the offset of its first byte in the body.
 */
export function controlFault(payload: JsonObject, atByte: number): RefusedDetail {
  const path = pathOfControl(payload, undefined);
  const detail = { reason: "control-character", data: { atByte } };
  if (path === undefined) return { fieldName: "request", ...detail };
  const fieldName = path.findLast((step) => typeof step === "string") ?? "payload";
  return { fieldName: String(fieldName), field: pointerOf(path), ...detail };
}

type Path = readonly (string | number)[];

/** The names and indexes that lead to the first text with a control character. The depth of a body is bounded. */
function pathOfControl(value: JsonValue, name: string | undefined): Path | undefined {
  if (typeof value === "string") {
    const isMultiline = name !== undefined && foldName(name) === multilineName;
    return hasControl(value, isMultiline) ? [] : undefined;
  }
  const members: readonly (readonly [string | number, JsonValue | undefined])[] = Array.isArray(value)
    ? [...value.entries()]
    : isObject(value)
      ? Object.entries(value)
      : [];
  for (const [step, member] of members) {
    const inner =
      member === undefined ? undefined : pathOfControl(member, typeof step === "string" ? step : undefined);
    if (inner !== undefined) return [step, ...inner];
  }
  return undefined;
}

function hasControl(text: string, isMultiline: boolean): boolean {
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (isMultiline && (unit === 0x0a || unit === 0x0d)) continue;
    if (unit < 0x20 || (unit >= 0x7f && unit < 0xa0)) return true;
  }
  return false;
}

/** A JSON Pointer (RFC 6901). */
function pointerOf(path: Path): string {
  return path.map((step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** A flat operation, and the fields that select it, by folded name. */
interface FlatMethod {
  readonly method: MethodDescriptor;
  readonly selectors: ReadonlyMap<string, Selector>;
}

interface Selector {
  readonly field: string;
  /** With which values it selects; with every value where absent. */
  readonly held: HeldValue | undefined;
}

/** In the descriptor's order, so that a body with the fields of two operations is the first (D-22). */
export function flatMethodsOf({
  methods,
}: Pick<SignedInterfaceDescriptor, "methods">): readonly FlatMethod[] {
  return Object.values(methods).flatMap((method) => {
    const { transport } = method;
    if (transport.kind !== "flat") return [];
    const only = new Map(Object.entries(transport.only ?? {}));
    const selectors = transport.selectedBy.map(
      (field) => [foldName(field), { field, held: only.get(field) }] as const,
    );
    return [{ method, selectors: new Map(selectors) }];
  });
}

/** The operation that a flat body is; none where nothing in it selects one. */
export function selectedMethod(
  body: JsonObject,
  methods: readonly FlatMethod[],
): MethodDescriptor | undefined {
  const names = Object.keys(body);
  return methods.find(
    ({ selectors }) =>
      selectors.size === 0 ||
      names.some((name) => {
        const selector = selectorOf(name, selectors);
        return selector !== undefined && (selector.held === undefined || holds(selector.held, body[name]));
      }),
  )?.method;
}

/** The refusal of a body that is no operation's: of the field whose value selects none, or of the whole body. */
export function unselected(body: JsonObject, methods: readonly FlatMethod[]): Refused {
  const reason = "unknown-shape";
  for (const { selectors } of methods) {
    for (const name of Object.keys(body)) {
      const field = selectorOf(name, selectors)?.field;
      if (field !== undefined)
        return refuse("invalidParams", { fieldName: field, field: pointerOf([field]), reason });
    }
  }
  return refuse("invalidRequest", { fieldName: "body", reason });
}

function selectorOf(name: string, selectors: FlatMethod["selectors"]): Selector | undefined {
  return selectors.get(name) ?? selectors.get(foldName(name));
}

function holds(held: HeldValue, value: JsonValue | undefined): boolean {
  if ("oneOf" in held) return held.oneOf.some((one) => one === value);
  if (Array.isArray(value)) return held.type === "array";
  return value !== null && typeof value === held.type;
}

/** A body that is acceptable JSON. */
interface ScannedBody {
  readonly ok: true;
  readonly text: string;
  /** The bytes of `params.payload` as sent (D-15); absent where the outermost object has none. */
  readonly payloadBytes?: Buffer;
  /** Offset of the first control character in a text or a name (D-47). Absent if the text has no such character. */
  readonly controlAt?: number;
}

/** The range of bytes of `params.payload`; 0, 0 until it was seen. */
interface PayloadRange {
  start: number;
  end: number;
}

const params: Place = 2;

const envelope: ScanPlan<PayloadRange> = {
  rules: {
    noun: "body",
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
export function scanBody(body: Buffer): ScannedBody | RefusedText {
  const scanned = scanJson(body, envelope);
  if (!scanned.ok) return scanned;
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
