import {
  idParts,
  type InterfaceSpec,
  type Located,
  type LoadedSpec,
  type MethodSpec,
  type Scope,
  type WireSpec,
} from "../language/index.ts";
import { omitUndefined } from "../../conformance/omit-undefined.ts";
import type {
  JsonRpcFault,
  JsonRpcFaultModel,
  MethodModel,
  RequestIdModel,
  ServiceModel,
  WireModel,
} from "./service-model.ts";

/** The wire of a spec, with the defaults of its protocol. */
export function wireModel({ interface: own, scope }: LoadedSpec): WireModel {
  const { wire } = own;
  if (wire.protocol === "signed-envelope")
    return omitUndefined({
      protocol: wire.protocol,
      requestId: requestIdModel(wire.requestId),
      nullError: wire.nullError,
    });
  const { http, batch = true } = wire;
  return {
    protocol: wire.protocol,
    params: paramsOf(wire),
    http: { status: http?.status ?? "ok", notified: http?.notified === 202 ? 202 : 204 },
    batch: batch === true ? { max: 50 } : batch,
    transports: transportsOf(wire),
    faults: faultsOf(scope),
  };
}

/** A pattern of ids with its parts. */
export function requestIdModel(requestId: Located<string> | undefined): RequestIdModel | undefined {
  return requestId && { pattern: requestId.value, parts: idParts(requestId.value) ?? [] };
}

/** The rule for ids of a method's requests; undefined where any text of 1 to 128 characters is one. */
export function requestIdOf(
  { wire }: Pick<ServiceModel, "wire">,
  method?: Pick<MethodModel, "transport">,
): RequestIdModel | undefined {
  const own = method?.transport.kind === "enveloped" ? method.transport.requestId : undefined;
  return own ?? wire.requestId;
}

/** An id that requests of a method may have, always the same one: `usual` where any text may be one. */
export function exampleId(
  model: Pick<ServiceModel, "wire">,
  usual: string,
  method?: Pick<MethodModel, "transport">,
): string {
  const ids = requestIdOf(model, method);
  if (ids === undefined) return usual;
  return ids.parts
    .map(({ characters, most }) =>
      Array.from({ length: most }, (_, at) => characters[(at + 1) % characters.length]).join(""),
    )
    .join("");
}

/** Path of the endpoint. */
export function pathOf({ wire, path }: InterfaceSpec): string {
  return wire.protocol === "signed-envelope" ? path : (wire.http?.path ?? "/rpc");
}

/** How a method of a standard interface is called. */
export function standardTransport(method: MethodSpec, wire: WireSpec): MethodModel["transport"] {
  const isNew = method.effect.value === "create" && method.effect.span !== method.name.span;
  return {
    kind: "json-rpc",
    params: method.params?.value ?? paramsOf(wire),
    notify: method.notify?.value ?? (isNew ? "never" : "allowed"),
  };
}

function paramsOf({ params }: WireSpec) {
  return params?.value ?? "by-name";
}

function transportsOf({ transports }: WireSpec) {
  const names = new Set(transports?.map(({ value }) => value) ?? ["http"]);
  return (["http", "websocket", "stdio"] as const).filter((name) => names.has(name));
}

function faultsOf({ faults, errors }: Scope): Readonly<Record<JsonRpcFault, JsonRpcFaultModel>> {
  const named = new Map(faults?.codes.map(({ fault, code }) => [fault.value, errors.get(code.value)]));
  const overridden = (fault: JsonRpcFault): JsonRpcFaultModel => {
    const error = named.get(fault);
    if (error === undefined) return standardFaults[fault];
    return {
      name: error.code.value,
      code: error.rpcCode.value,
      message: error.message.value,
      httpStatus: error.httpStatus,
    };
  };
  return omitUndefined({
    ...standardFaults,
    unauthenticated: overridden("unauthenticated"),
    forbidden: overridden("forbidden"),
    rateLimited: overridden("rateLimited"),
    unavailable: overridden("unavailable"),
    tooLarge: overridden("tooLarge"),
  });
}

/** Codes of JSON-RPC 2.0 (section 5.1), then codes from the end of the range that it leaves to implementations. */
const standardFaults: Readonly<Record<JsonRpcFault, JsonRpcFaultModel>> = {
  parseError: { name: "PARSE_ERROR", code: -32700, message: "Parse error", httpStatus: 400 },
  invalidRequest: { name: "INVALID_REQUEST", code: -32600, message: "Invalid Request", httpStatus: 400 },
  methodNotFound: { name: "METHOD_NOT_FOUND", code: -32601, message: "Method not found", httpStatus: 404 },
  invalidParams: { name: "INVALID_PARAMS", code: -32602, message: "Invalid params", httpStatus: 400 },
  internalError: { name: "INTERNAL_ERROR", code: -32603, message: "Internal error", httpStatus: 500 },
  unauthenticated: { name: "UNAUTHENTICATED", code: -32091, message: "Unauthenticated", httpStatus: 401 },
  forbidden: { name: "FORBIDDEN", code: -32092, message: "Forbidden", httpStatus: 403 },
  rateLimited: { name: "RATE_LIMITED", code: -32093, message: "Too many calls", httpStatus: 429 },
  unavailable: { name: "UNAVAILABLE", code: -32094, message: "Service unavailable", httpStatus: 503 },
  tooLarge: { name: "TOO_LARGE", code: -32095, message: "Request too large", httpStatus: 413 },
};
