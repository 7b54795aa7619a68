import { createHash } from "node:crypto";
import type { FaultDetail } from "../../auth/port.ts";
import { scopesAllow } from "../../auth/scopes.ts";
import { canonicalBytes } from "../../auth/signing/index.ts";
import {
  omitUndefined,
  RpcError,
  type ErrorDescriptor,
  type Fault,
  type SignedInterfaceDescriptor,
  type JsonValue,
  type MethodDescriptor,
} from "../../contract/index.ts";
import {
  refuse,
  type CallIdentity,
  type DecodedCall,
  type Failure,
  type IdentifiedCall,
  type Message,
  type Protocol,
  type Refused,
} from "../port.ts";
import { bodyBytesMax, createDecode, foldName } from "./decode.ts";
import { printError, printResponse, printResult, type SentDetail } from "./encode.ts";
import type { Envelope } from "./envelope.ts";
import { readByShape, readPayload, refusedPayload, schemaFaults } from "./validate.ts";

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
