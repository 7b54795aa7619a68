import { createHash } from "node:crypto";
import type { FaultDetail } from "../../auth/port.ts";
import { canonicalBytes } from "../../auth/signing/index.ts";
import {
  omitUndefined,
  RpcError,
  type ErrorDescriptor,
  type Fault,
  type SignedInterfaceDescriptor,
  type JsonValue,
  type MethodDescriptor,
  type FieldShape,
  type JsonObject,
  type ObjectShape,
} from "../../contract/index.ts";
import {
  refuse,
  type CallIdentity,
  type DecodedCall,
  type Failure,
  type HttpRefusal,
  type HttpRules,
  type IdentifiedCall,
  type Message,
  type Protocol,
  type Refused,
} from "../port.ts";
import { bodyBytesMax, createDecode, foldName } from "./decode.ts";
import type { Envelope } from "./envelope.ts";
import { readByShape, readPayload, refusedPayload, schemaFaults, documentedName } from "./payload.ts";
import { oncePer } from "../../contract/values.ts";

/** The configured rules of the framing, each with the decision that names it. */
export interface EnvelopeRules {
  /** `validation.unknownFields` (D-13). Default `ignore`. */
  readonly unknownFields?: "ignore" | "reject";
  /** `errors.httpStatus` (D-02): `ok` answers 200 once the envelope could be parsed. Default `ok`. */
  readonly httpStatus?: "ok" | "mapped";
}

/** A request of a signed interface. */
export interface EnvelopeCall extends DecodedCall {
  readonly envelope: Envelope;
  /** Path of the request where it is one of methods alone. */
  readonly methodPath: string | undefined;
}

/** An interface of signed envelopes and flat bodies (sections 1 and 5). */
export function signedEnvelopes(
  descriptor: SignedInterfaceDescriptor,
  { unknownFields, httpStatus }: EnvelopeRules = {},
): Protocol<MethodDescriptor, EnvelopeCall> {
  const { name, revision, path, methods, authScheme } = descriptor;
  const rejectUnknown = unknownFields === "reject";
  const decode = createDecode({ interfaceDescriptor: descriptor, rejectUnknown });
  const otherPaths = ownPaths(descriptor);
  const security = [{ [authScheme]: [] }];
  const failureOf = failuresOf(descriptor, httpStatus === "mapped");
  return {
    name,
    revision,
    path,
    otherPaths,
    methods,
    schemes: { [authScheme]: { kind: authScheme } },
    messageBytesMax: bodyBytesMax,
    notifiedStatus: 200,
    http,
    securityOf: () => security,
    allows: (scopes, names) => names.some((each) => scopesAllow(scopes, each)),
    decode(bytes, target) {
      const methodPath = otherPaths.length === 0 ? undefined : pathAmong(otherPaths, target);
      return messageOf(decode(bytes, methodPath), methodPath);
    },
    refusalOf: ({ transport, path: own }, { envelope, methodPath }) =>
      transport.kind === envelope.kind && own === methodPath ? undefined : refuse("methodNotFound"),
    evidenceOf: ({ method: sent, envelope }, { method, currentMethod, fieldName }) => {
      const payloadField = (currentName: string): JsonValue | undefined =>
        memberOf(envelope, fieldName(currentName));
      return { method: sent, signed: { method, currentMethod, envelope, payloadField } };
    },
    read: (method, { envelope }) => readPayload(method, envelope, rejectUnknown),
    identify: ({ effect }, { envelope }, known) =>
      effect === "create" ? identityOf(envelope, known) : undefined,
    printResult: ({ result: shape }, result) => printResult(Object(result), shape),
    printResponse,
    failureOf,
    revisions: {
      refusalOf(method, errors, earlier) {
        const faults = schemaFaults(errors).map(({ pointer, reason }) => ({
          pointer: earlier(pointer),
          reason,
        }));
        return refusedPayload(faults, method.payload);
      },
      readResult: (method, text) => readByShape(text, method.result),
    },
  };
}

const refusedInput = (word: string, headers: HttpRefusal["headers"] = {}): HttpRefusal => ({
  fault: "invalidRequest",
  word,
  headers,
});

/** HTTP by the interface document: JSON alone, and faults in the words of D-02. */
const http: HttpRules = {
  mediaTypes: ["application/json"],
  allow: "POST",
  refusals: {
    "http-method": refusedInput("http-method"),
    "body-already-read": { fault: "internalError", word: "body-already-read", headers: {} },
    "content-encoding": refusedInput("content-encoding"),
    "content-type": refusedInput("content-type"),
    "too-large": refusedInput("body-too-large", { Connection: "close" }),
    "too-slow": refusedInput("too-slow"),
    "no-room": { fault: "unavailable", word: "overloaded", headers: {} },
  },
};

/** The paths that methods have of their own. */
function ownPaths({ methods }: Pick<SignedInterfaceDescriptor, "methods">): readonly string[] {
  const paths = Object.values(methods).flatMap(({ path }) => (path === undefined ? [] : [path]));
  return [...new Set(paths)];
}

/** Undefined for the path of the interface, wherever that is mounted. */
function pathAmong(paths: readonly string[], target: string): string | undefined {
  const { pathname } = new URL(target, "http://any");
  return paths.find((path) => path === pathname);
}

function messageOf(
  decoded: ReturnType<ReturnType<typeof createDecode>>,
  methodPath: string | undefined,
): Message<EnvelopeCall> {
  if (decoded.kind === "refused") return { ...decoded, id: JSON.stringify(decoded.id) };
  const [id, method] =
    decoded.kind === "flat" ? [null, decoded.method.name] : [decoded.id, decoded.methodName];
  return {
    kind: "single",
    call: { kind: "call", id: JSON.stringify(id), method, envelope: decoded, methodPath },
  };
}

/** A member of the payload, whatever the case of its name (D-11). */
function memberOf({ payload }: Envelope, name: string): JsonValue | undefined {
  const folded = foldName(name);
  const spelled = Object.keys(payload).find((key) => foldName(key) === folded);
  return spelled === undefined ? undefined : payload[spelled];
}

/**
 * Names a request: key, method, request id and payload in canonical form, so that a retry through a proxy that
 * re-serialises is still the same (D-24). Undefined for a request that has no identity.
 */
export function identityOf(
  envelope: Envelope,
  { requestIdentity, keyId = "", methodIdentity }: IdentifiedCall,
): CallIdentity | undefined {
  const own = requestIdentity ?? (envelope.kind === "enveloped" ? envelope.id : undefined);
  if (own === undefined) return undefined;
  const requestHash = createHash("sha256")
    .update(JSON.stringify([keyId, methodIdentity, own]))
    .update(canonicalBytes(envelope.payload))
    .digest("hex");
  return { key: requestHash, requestHash };
}

/** The JSON-RPC 2.0 integers of the conditions that have no code of their own (section 5.1 there). */
const rpcCodes = {
  parseError: -32700,
  tooLarge: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
} as const;

/** The statuses of faults, whatever `errors.httpStatus` (D-02). */
const statuses = { parseError: 400, tooLarge: 413, rateLimited: 429, unavailable: 503 } as const;

const faults = {
  parseError: "badInput",
  tooLarge: "badInput",
  invalidRequest: "badInput",
  invalidParams: "badInput",
  methodNotFound: "unauthorized",
  forbidden: "unauthorized",
  unauthenticated: "badCredential",
  conflict: "conflict",
  rateLimited: "rateLimited",
  unavailable: "unavailable",
  internalError: "internal",
} as const satisfies Record<Refused["fault"], Fault>;

const partFaults = {
  credential: "badCredential",
  key: "unknownKey",
  signature: "invalidSignature",
} as const satisfies Record<NonNullable<FaultDetail["part"]>, Fault>;

/** The errors of an interface as they are answered: with the text and status of the method, or else in general. */
function failuresOf(
  descriptor: SignedInterfaceDescriptor,
  isMapped: boolean,
): Protocol<MethodDescriptor>["failureOf"] {
  const { errors, missingAuth, faults: codes } = descriptor;
  const internal: ErrorDescriptor = errors[codes.internal] ?? {
    code: codes.internal,
    message: "Internal error",
    httpStatus: 500,
    rpcCode: -32603,
  };

  /** The code of a refusal, and the word that narrows it. */
  function wordsOf({ fault, reason, credential }: Refused): readonly [code: string, reason?: string] {
    if (fault === "methodNotFound") return [codes.unauthorized, "unknown-method"];
    if (credential === undefined || credential.kind === "exhausted")
      return reasoned(codes[faults[fault]], reason);
    const { kind, detail: { member, part = "credential", word } = {} } = credential;
    if (member !== undefined) return [missingAuth[member] ?? codes.unauthorized, kind];
    return kind === "missing" ? [codes.badCredential, kind] : reasoned(codes[partFaults[part]], word);
  }

  return (failed, method, requestId) => {
    if (failed instanceof RpcError) {
      const error = method?.errors[failed.code];
      if (error === undefined) return undefined;
      const { field, reason, data } = failed.detail;
      const own = failed.code === codes.internal ? requestId : undefined;
      const sent = omitUndefined({ field, reason, data, requestId: own });
      return failure(error, failed.code, sent, statusOf(error));
    }
    const { fault, field, fieldName, data, retryAfterS } = failed;
    const [code, reason] = wordsOf(failed);
    const error = method?.errors[code] ?? errors[code];
    const given = { field, fieldName, reason, data, retryAfterS };
    if (error === undefined || fault === "internalError") {
      const sent = omitUndefined({ ...given, requestId });
      return failure(internal, codes.internal, sent, statusOf(internal));
    }
    const sent = omitUndefined({ ...given, rpcCode: isIn(rpcCodes, fault) ? rpcCodes[fault] : undefined });
    return failure(error, code, sent, isIn(statuses, fault) ? statuses[fault] : statusOf(error));
  };

  function statusOf({ httpStatus }: ErrorDescriptor): number {
    return isMapped ? httpStatus : 200;
  }
}

function reasoned(code: string, reason: string | undefined): readonly [code: string, reason?: string] {
  return reason === undefined ? [code] : [code, reason];
}

function isIn<Known extends object>(known: Known, name: string): name is keyof Known & string {
  return Object.hasOwn(known, name);
}

function failure(
  error: ErrorDescriptor,
  code: string,
  { retryAfterS, ...sent }: SentDetail & Pick<Failure, "retryAfterS">,
  httpStatus: number,
): Failure {
  const { reason } = sent;
  return {
    code,
    httpStatus,
    ...omitUndefined({ reason, retryAfterS }),
    print: (id) => printError(id, code, error, sent),
  };
}

/** The response body around a result (section 1; flat operations have none around it). `id` is JSON. */
export function printResponse({ transport }: MethodDescriptor, id: string, resultText: string): string {
  if (transport.kind === "flat") return resultText;
  const error = transport.nullError === true ? ',"error":null' : "";
  const jsonrpc = transport.jsonrpc ? ',"jsonrpc":"2.0"' : "";
  return `{"id":${id},"result":${resultText}${error}${jsonrpc}}`;
}

export interface SentDetail extends Pick<Refused, "field" | "fieldName" | "reason" | "data"> {
  /** Replaces the integer that the spec gives the code. */
  readonly rpcCode?: number;
  /** Where the log says more under it. */
  readonly requestId?: string;
}

/** The response body of an error (D-01). `id` is JSON. */
export function printError(
  id: string,
  errorCode: string,
  descriptor: ErrorDescriptor,
  { field, fieldName, reason, data = {}, requestId, rpcCode = descriptor.rpcCode }: SentDetail,
): string {
  const name = fieldName ?? documentedName(field ?? "") ?? "payload";
  const detail: JsonObject = {
    ...omitUndefined({ field, reason }),
    ...data,
    ...omitUndefined({ requestId }),
    rpcCode,
  };
  const message = descriptor.message.replaceAll("{field}", () => name);
  const error = { code: descriptor.wireCode ?? errorCode, message, data: detail };
  return `{"id":${id},"error":${JSON.stringify(error)},"jsonrpc":"2.0"}`;
}

/**
 * A handler's result as JSON text: the documented fields only, in document order, and those spelt two ways under both
 * names (D-12). Other members that a handler returns are dropped: a record never leaks through a wide object.
 * Printing by shape takes half the time of building the object that `JSON.stringify` would print.
 */
export function printResult(result: object, shape: ObjectShape): string {
  if (!isRecord(result)) return "{}";
  let members = "";
  for (const field of printableOf(shape)) {
    const value = result[field.name];
    // For a field called `toString` that the handler left out, every object has a function.
    if (value === undefined || typeof value === "function") continue;
    const isPlain = typeof value === "string" && plainText.test(value);
    const text = isPlain ? value : printValue(value, field);
    for (const { bare, quoted } of field.keys) members += isPlain ? `${quoted}${text}"` : bare + text;
  }
  return `{${members.slice(1)}}`;
}

interface PrintableField {
  readonly name: string;
  /** Each of its names as JSON, after a comma: with a colon, and with the quote that a text begins with. */
  readonly keys: readonly { readonly bare: string; readonly quoted: string }[];
  readonly shape: (() => ObjectShape) | undefined;
}

const printableOf = oncePer((shape: ObjectShape) => shape.fields.map(printableField));

function printableField({ name, alsoSentAs, shape }: FieldShape): PrintableField {
  const names = alsoSentAs === undefined ? [name] : [name, alsoSentAs];
  const keys = names.map((each) => `,${JSON.stringify(each)}:`);
  return { name, keys: keys.map((bare) => ({ bare, quoted: `${bare}"` })), shape };
}

function printValue(value: unknown, field: PrintableField): string {
  if (typeof value === "string") return printText(value);
  if (typeof value === "boolean") return value ? "true" : "false";
  // In a list, what JSON has no word for is null, as in all JSON of JavaScript.
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  if (field.shape === undefined) return printShapeless(value);
  if (!Array.isArray(value)) return printResult(value, field.shape());
  const items: readonly unknown[] = value;
  return `[${items.map((item) => printValue(item, field)).join(",")}]`;
}

/** An amount prints the digits it was made of (D-37), here without the detour over `toJSON`. */
function printShapeless(value: object): string {
  return "lexeme" in value && typeof value.lexeme === "string" ? value.lexeme : JSON.stringify(value);
}

const plainText = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;

function printText(text: string): string {
  return plainText.test(text) ? `"${text}"` : JSON.stringify(text);
}

function isRecord(object: object): object is Readonly<Record<string, unknown>> {
  return !Array.isArray(object);
}

/** Whether a credential with these scopes may call the method (D-19). Names are compared exactly. */
export function scopesAllow(scopes: readonly string[], method: string): boolean {
  const dot = method.indexOf(".");
  const wholeService = dot < 0 ? undefined : `${method.slice(0, dot)}.*`;
  return scopes.some((scope) => scope === "*" || scope === method || scope === wholeService);
}
