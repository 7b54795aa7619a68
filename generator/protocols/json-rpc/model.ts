import { checkedFrame, type Frame, jsonRpcFrame } from "../../../conformance/base/frame.ts";
import { omitUndefined } from "../../../conformance/base/omit-undefined.ts";
import type { LoadedSpec, MethodSpec, Scope, WireSpec } from "../../language/index.ts";
import type {
  JsonRpcFault,
  JsonRpcFaultModel,
  JsonRpcWireModel,
  MethodModel,
} from "../../model/service-model.ts";
import type { ProtocolModel } from "../../model/protocol-model.ts";

export const model: ProtocolModel = {
  protocol: "json-rpc-2.0",
  path: ({ wire }) => wire.http?.path ?? "/rpc",
  wire: wireModel,
  transport: transportOf,
};

/** The model of a dialect: JSON-RPC 2.0 with other names for the members of messages. @throws Error as `checkedFrame` */
export function framedModel(protocol: string, frame: Frame): ProtocolModel {
  const checked = checkedFrame(frame);
  const wire = (loaded: LoadedSpec): JsonRpcWireModel => ({ ...wireModel(loaded), protocol, frame: checked });
  return { ...model, protocol, wire };
}

function wireModel({ interface: { wire }, scope }: LoadedSpec): JsonRpcWireModel {
  const { http, batch = true } = wire;
  return {
    protocol: "json-rpc-2.0",
    frame: jsonRpcFrame,
    params: paramsOf(wire),
    http: { status: http?.status ?? "ok", notified: http?.notified === 202 ? 202 : 204 },
    batch: batch === true ? { max: 50 } : batch,
    transports: transportsOf(wire),
    faults: faultsOf(scope),
  };
}

function transportOf(method: MethodSpec, { interface: { wire } }: LoadedSpec): MethodModel["transport"] {
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
