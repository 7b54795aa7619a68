import { omitUndefined } from "../../../../conformance/base/omit-undefined.ts";
import {
  canonicalNames,
  escaped,
  isJsonObject,
  payloadProblems,
  type ProblemKind,
} from "../../../../conformance/values/index.ts";
import { flatMethods, payloadShapes, resolve, selectedFlat } from "../../../../generator/model/resolve.ts";
import { requestIdOf } from "../../../../generator/model/index.ts";
import type { MethodModel, ServiceModel, Shape } from "../../../../generator/model/service-model.ts";
import { errorResponse, faultCode, type ErrorResponse } from "./error-response.ts";

/** A call as it was sent: nothing of it is believed yet. */
export interface SentCall {
  readonly kind: "call";
  readonly method: MethodModel;
  /** Absent of a flat body. */
  readonly id?: string;
  /** `params.api`; absent of a flat body, whose headers stand for it. */
  readonly api?: object;
  readonly payload: object;
  /** The signed text. */
  readonly payloadText: string;
}

/** The words that the runtime has for what is wrong with a field, where the kind of the problem decides them. */
const servedReasons: Partial<Record<ProblemKind, string>> = {
  absent: "missing",
  empty: "missing",
  surplus: "unknown-field",
  value: "enum",
  repeated: "uniqueItems",
};

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const parseError = -32_700;
const invalidRequest = -32_600;
const methodNotFound = -32_601;

/** Reads a body up to the method that it calls (D-05: JSON, envelope, method); `path` is that of a method alone. */
export function readCall(
  body: Buffer,
  path: string | undefined,
  whole: ServiceModel,
): SentCall | ErrorResponse {
  const model = { ...whole, methods: whole.methods.filter((method) => method.path === path) };
  const badInput = faultCode(model, "badInput");
  const unreadable = (reason: string): ErrorResponse =>
    errorResponse(badInput, { fieldName: "body", reason, rpcCode: parseError, status: 400 });
  let text: string;
  try {
    text = utf8.decode(body);
  } catch {
    return unreadable("encoding");
  }
  const scanned = scan(text, keyNames(model));
  if (scanned.kind === "unsound") return unreadable(scanned.reason);
  const { value, payloadText, controlAt } = scanned;
  if (!isJsonObject(value))
    return errorResponse(badInput, { fieldName: "body", reason: "not-an-object", rpcCode: invalidRequest });
  const names = ["id", "jsonrpc", "method", "params"];
  const members = membersOf(value, names);
  const isEnvelope = names.slice(1).some((name) => members.has(name));
  const call = isEnvelope ? envelopeIn(members, payloadText, model) : flatBodyIn(value, text, path, model);
  if (controlAt === undefined) return call;
  const id = members.get("id");
  return errorResponse(
    badInput,
    omitUndefined({
      ...placeOfControl(isEnvelope ? controlAt : ["params", "payload", ...controlAt]),
      reason: "control-character",
      id: isRequestId(id, members.get("method"), model) ? id : undefined,
    }),
  );
}

/** The field, where a text with a control character is in the payload. */
function placeOfControl(path: readonly string[]): Pick<ErrorResponse, "field" | "fieldName"> {
  const [params = "", payload = "", ...inside] = path;
  const fieldName = path.findLast((step) => !/^\d*$/.test(step)) ?? "body";
  const isInside = params.toLowerCase() === "params" && payload.toLowerCase() === "payload";
  return isInside && inside.length > 0
    ? { fieldName, field: inside.map((step) => `/${escaped(step)}`).join("") }
    : { fieldName };
}

/** Names of the fields whose texts have lines: PEM. */
function keyNames(model: ServiceModel): ReadonlySet<string> {
  const fields = model.methods.flatMap(({ payload }) =>
    payloadShapes(payload).flatMap((shape) => shape.fields),
  );
  const isPem = (shape: Shape): boolean => {
    const resolved = resolve(model, shape);
    return resolved.kind === "string" && resolved.format === "pem";
  };
  return new Set(fields.filter(({ shape }) => isPem(shape)).map(({ name }) => name.toLowerCase()));
}

function envelopeIn(
  members: ReadonlyMap<string, unknown>,
  payloadText: string | undefined,
  model: ServiceModel,
): SentCall | ErrorResponse {
  const id = members.get("id");
  const name = members.get("method");
  const known = isRequestId(id, name, model) ? { id } : {};
  const invalid = (fieldName: string): ErrorResponse =>
    errorResponse(faultCode(model, "badInput"), {
      ...known,
      fieldName,
      reason: `invalid-${fieldName}`,
      rpcCode: invalidRequest,
    });
  if (!isRequestId(id, name, model)) return invalid("id");
  const jsonrpc = members.get("jsonrpc");
  if (jsonrpc !== undefined && jsonrpc !== "2.0") return invalid("jsonrpc");
  if (typeof name !== "string" || name === "") return invalid("method");
  const params = members.get("params");
  if (!isJsonObject(params)) return invalid("params");
  const inside = membersOf(params, ["api", "payload"]);
  const api = inside.get("api");
  const payload = inside.get("payload");
  if (!isJsonObject(api)) return invalid("api");
  if (!isJsonObject(payload) || payloadText === undefined) return invalid("payload");
  const method = model.methods.find((each) => each.name === name && each.transport.kind === "enveloped");
  if (method === undefined)
    return errorResponse(faultCode(model, "unauthorized"), {
      id,
      reason: "unknown-method",
      rpcCode: methodNotFound,
    });
  return { kind: "call", method, id, api, payload, payloadText };
}

/** A body without an envelope, which names its operation by the fields that it has, or by their values (D-22). */
function flatBodyIn(
  payload: object,
  payloadText: string,
  path: string | undefined,
  model: ServiceModel,
): SentCall | ErrorResponse {
  const method = selectedFlat(model, path, (field) => membersOf(payload, [field]).get(field));
  if (method !== undefined) return { kind: "call", method, payload, payloadText };
  const selectors = flatMethods(model).flatMap(({ transport }) => transport.selectedBy);
  const [field] = membersOf(payload, selectors).keys();
  const reason = "unknown-shape";
  const detail =
    field === undefined
      ? { fieldName: "body", reason, rpcCode: invalidRequest }
      : { field: `/${field}`, reason };
  return errorResponse(faultCode(model, "badInput"), detail);
}

function isRequestId(value: unknown, method: unknown, model: ServiceModel): value is string {
  if (typeof value !== "string" || value === "" || [...value].length > 128) return false;
  const called = model.methods.find(({ name }) => name === method);
  const pattern = requestIdOf(model, called)?.pattern;
  return pattern === undefined || new RegExp(pattern, "u").test(value);
}

/** Members by the name that is meant: the case of ASCII letters does not count (D-11). */
export function membersOf(value: object, names: readonly string[]): ReadonlyMap<string, unknown> {
  const meant = new Map(names.map((name) => [name.toLowerCase(), name]));
  return new Map(
    Object.entries(value).flatMap(([key, part]) => {
      const name = meant.get(key.toLowerCase());
      return name === undefined ? [] : [[name, part] as const];
    }),
  );
}

/** The payload under canonical names, or its first field that does not fit. */
export function readPayload(
  { method, payload }: SentCall,
  model: ServiceModel,
): { readonly kind: "payload"; readonly payload: object } | ErrorResponse {
  const reading = {
    direction: "request" as const,
    example: true as const,
    resolve: (shape: Shape) => resolve(model, shape),
  };
  const { payload: named, doubled } = canonicalNames(method.payload, payload, reading);
  const badInput = faultCode(model, "badInput");
  const [twice] = doubled;
  if (twice !== undefined) return errorResponse(badInput, { field: twice, reason: "two-spellings" });
  const [problem] = payloadProblems(method.payload, named, reading);
  if (problem !== undefined) {
    const { at, kind } = problem;
    return errorResponse(badInput, { field: at, reason: servedReasons[kind] ?? kind });
  }
  return { kind: "payload", payload: isJsonObject(named) ? named : {} };
}

/** Limits of a signed envelope (D-10). */
const limits = { depth: 32, itemsPerArray: 1000, textCharacters: 4096 };
const refusedNames: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);
const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s"{}[\],:]+/g;
// oxlint-disable-next-line no-control-regex -- control characters are what is refused
const control = /[\u0000-\u001F\u007F-\u009F]/;
const lineBreaks = /[\r\n]/g;

type Scanned =
  | {
      readonly kind: "sound";
      readonly value: unknown;
      readonly payloadText: string | undefined;
      /** The names and indexes that lead to a text with a control character: it does not fit. */
      readonly controlAt: readonly string[] | undefined;
    }
  | { readonly kind: "unsound"; readonly reason: string };

/** An object or array that is being read. */
interface Open {
  /** For an object: the members so far. */
  readonly names: Set<string> | undefined;
  /** The member that is being read. */
  name: string;
  items: number;
}

/** How far a text has been read. */
interface Reading {
  readonly multiline: ReadonlySet<string>;
  readonly open: Open[];
  /** Whether the next text is the name of a member. */
  expectsName: boolean;
  payloadStart: number;
  payload: readonly [number, number] | undefined;
  controlAt: readonly string[] | undefined;
}

/**
 * Parses a request body, and finds the text of `params.payload` as it was sent: what is signed (D-15). `multiline` are
 * the names, in lower case, of members whose texts have lines (D-47).
 */
function scan(text: string, multiline: ReadonlySet<string>): Scanned {
  try {
    const value: unknown = JSON.parse(text);
    const reading: Reading = {
      multiline,
      open: [],
      expectsName: false,
      payloadStart: -1,
      payload: undefined,
      controlAt: undefined,
    };
    // The text is sound JSON: its tokens and the blanks between them are all there is.
    for (const match of text.matchAll(tokens)) {
      const reason = take(reading, match[0], match.index);
      if (reason !== undefined) return { kind: "unsound", reason };
    }
    const { payload, controlAt } = reading;
    return { kind: "sound", value, payloadText: payload && text.slice(...payload), controlAt };
  } catch {
    return { kind: "unsound", reason: "syntax" };
  }
}

/** Takes the next token; gives what is wrong with it. */
function take(reading: Reading, token: string, at: number): string | undefined {
  const { open } = reading;
  switch (token[0]) {
    case '"':
      return takeText(reading, token);
    case "{":
    case "[":
      if (token === "{" && isPayload(open)) reading.payloadStart = at;
      open.push({ names: token === "{" ? new Set() : undefined, name: "", items: 0 });
      reading.expectsName = token === "{";
      return open.length > limits.depth ? "too-deep" : undefined;
    case "}":
    case "]":
      open.pop();
      reading.expectsName = false;
      if (reading.payloadStart >= 0 && isPayload(open)) reading.payload = [reading.payloadStart, at + 1];
      return undefined;
    case ",":
      return separate(reading);
    default:
      return /^[-\d]/.test(token) && !Number.isFinite(Number(token)) ? "infinite-number" : undefined;
  }
}

function takeText(reading: Reading, token: string): string | undefined {
  const { open, multiline } = reading;
  const around = open.at(-1);
  const text = String(JSON.parse(token));
  if (reading.expectsName && around?.names !== undefined) {
    if (refusedNames.has(text)) return "refused-name";
    if (around.names.has(text)) return "repeated-name";
    around.names.add(text);
    around.name = text;
    reading.expectsName = false;
  }
  const member = open.findLast(({ name }) => name !== "")?.name ?? "body";
  const line = multiline.has(member.toLowerCase()) ? text.replaceAll(lineBreaks, "") : text;
  if (control.test(line))
    reading.controlAt ??= open.map(({ names, name, items }) => (names === undefined ? String(items) : name));
  return textFault(text);
}

function separate(reading: Reading): string | undefined {
  const around = reading.open.at(-1);
  reading.expectsName = around?.names !== undefined;
  if (around === undefined || reading.expectsName) return undefined;
  around.items += 1;
  return around.items >= limits.itemsPerArray ? "array-too-long" : undefined;
}

/** Whether what is read next, or has just been read, is `params.payload`. */
function isPayload(open: readonly Open[]): boolean {
  return (
    open.length === 2 && open[0]?.name.toLowerCase() === "params" && open[1]?.name.toLowerCase() === "payload"
  );
}

function textFault(text: string): string | undefined {
  if (!text.isWellFormed()) return "lone-surrogate";
  const { textCharacters } = limits;
  return text.length > textCharacters && [...text].length > textCharacters ? "text-too-long" : undefined;
}
