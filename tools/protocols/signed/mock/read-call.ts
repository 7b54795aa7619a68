import { omitUndefined } from "../../../../conformance/omit-undefined.ts";
import {
  canonicalNames,
  escaped,
  isJsonObject,
  payloadProblems,
  type ProblemKind,
} from "../../../../conformance/values/index.ts";
import { flatMethods, selectedFlat } from "../../../../generator/model/flat-methods.ts";
import { requestIdOf } from "../../../../generator/model/index.ts";
import { payloadShapes, resolve } from "../../../../generator/model/resolve.ts";
import type { MethodModel, ServiceModel, Shape } from "../../../../generator/model/service-model.ts";
import { errorResponse, faultCode, type ErrorResponse } from "./error-response.ts";
import { scan } from "./scan.ts";

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
