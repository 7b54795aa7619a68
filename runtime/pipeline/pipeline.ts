import type { Fault } from "../contract/index.ts";
import { createAuthenticate } from "./authenticate/index.ts";
import { authorize } from "./authorize/index.ts";
import { createDecode, type Envelope } from "./decode/index.ts";
import { createDispatch } from "./dispatch/index.ts";
import { encodeSuccess } from "./encode/index.ts";
import { faultsOf, invalidRequestCode, methodNotFoundCode } from "./fault.ts";
import type { AnyHandler, PipelineOptions } from "./options.ts";
import type { CallProgress } from "./progress.ts";
import { createRefusal } from "./refusal.ts";
import { createValidate } from "./validate/index.ts";
import type { CallTrace, WireAnswer, WireRequest } from "./wire.ts";

/** One interface, ready to answer. */
export interface Pipeline {
  /** Name of the interface. */
  readonly name: string;
  /** Own revision, sent in `X-Interface-Revision` (D-46). */
  readonly revision: string;
  /** Request path. */
  readonly path: string;
  /** Answers one request. Never rejects. */
  answer(request: WireRequest): Promise<WireAnswer>;
  /** The answer to a fault of the transport, before anything was decoded (D-02). */
  refuse(fault: Fault, status: number, reason: string): WireAnswer;
}

/** Composes the stages decode, authenticate, authorize, validate, dispatch and encode over one interface. */
export function createPipeline<Handlers extends Readonly<Record<keyof Handlers, AnyHandler>>>(
  options: PipelineOptions<Handlers>,
): Pipeline {
  const { interfaceDescriptor, realm, ports, callers, verifier, eventSource, log, rules = {} } = options;
  const { clock } = ports;
  const { methods } = interfaceDescriptor;
  const fault = faultsOf(interfaceDescriptor);
  const rejectUnknown = rules.unknownFields === "reject";
  const handlers = handlersByMethod(options);
  const byName = new Map(Object.entries(methods));

  const decode = createDecode({ interfaceDescriptor, fault, rejectUnknown });
  const authenticate = createAuthenticate({
    interfaceDescriptor,
    realm,
    fault,
    clock,
    callers,
    verifier,
    rules,
  });
  const validate = createValidate(fault, rejectUnknown);
  const dispatch = createDispatch({
    interfaceDescriptor,
    handlers,
    ports,
    callers,
    eventSource,
    fault,
    onOutbox: options.onOutbox,
  });
  const refusal = createRefusal({ interfaceDescriptor, fault, log, mapped: rules.httpStatus === "mapped" });

  function resolve(envelope: Envelope) {
    if (envelope.kind === "flat") return envelope.method;
    const method = byName.get(envelope.methodName);
    if (method?.transport.kind === "enveloped") return method;
    throw fault("unauthorized", { reason: "unknown-method", rpcCode: methodNotFoundCode });
  }

  async function answer(request: WireRequest): Promise<WireAnswer> {
    const progress: CallProgress = { id: null, headers: {} };
    try {
      const envelope = decode(request.body, progress);
      const method = (progress.method = resolve(envelope));
      const authenticated = await authenticate(method, envelope, request, progress);
      const valid = validate(authorize(authenticated, fault));
      const body = encodeSuccess(method, progress.id, await dispatch(valid));
      return { status: 200, body, headers: progress.headers, trace: traceOf(progress) };
    } catch (error) {
      const { status, body, code, reason } = refusal(error, progress, request);
      const trace = { ...traceOf(progress), code, ...(reason === undefined ? {} : { reason }) };
      return { status, body, headers: progress.headers, trace };
    }
  }

  return {
    name: interfaceDescriptor.name,
    revision: interfaceDescriptor.revision,
    path: interfaceDescriptor.path,
    answer,
    refuse(name, status, reason) {
      const rpcCode = name === "badInput" ? { rpcCode: invalidRequestCode } : {};
      const error = fault(name, { reason, fieldName: "request", ...rpcCode });
      const { body, code } = refusal(error, { id: null, headers: {} });
      return { status, body, headers: {}, trace: { code, reason } };
    },
  };
}

function handlersByMethod<Handlers extends Readonly<Record<keyof Handlers, AnyHandler>>>({
  interfaceDescriptor,
  handlers,
}: PipelineOptions<Handlers>): ReadonlyMap<string, AnyHandler> {
  const byMethod = new Map<string, AnyHandler>(Object.entries(handlers));
  const missing = Object.keys(interfaceDescriptor.methods).filter((name) => !byMethod.has(name));
  if (missing.length > 0) {
    throw new Error(`${interfaceDescriptor.name} has no handler for ${missing.join(", ")}: run generate`);
  }
  return byMethod;
}

function traceOf({ method, userName, keyId }: CallProgress): CallTrace {
  return {
    ...(method === undefined ? {} : { method: method.name }),
    ...(userName === undefined ? {} : { userName }),
    ...(keyId === undefined ? {} : { keyId }),
  };
}
