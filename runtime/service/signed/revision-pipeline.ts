import {
  omitUndefined,
  type Fault,
  type InterfaceDescriptor,
  type MethodDescriptor,
} from "../../contract/index.ts";
import type { AuthScheme } from "../../auth/port.ts";
import type { Caller } from "../../auth/auth-services.ts";
import type { Envelope } from "../../protocol/signed-envelope/envelope.ts";
import { authenticate, type AuthTarget } from "./authenticate.ts";
import { authorize } from "./authorize.ts";
import { createDecode } from "../../protocol/signed-envelope/decode.ts";
import { createDispatch } from "./dispatch/index.ts";
import { createUnitOfWork, type EventOrigin } from "../unit-of-work.ts";
import { encodeSuccess } from "../../protocol/signed-envelope/encode.ts";
import {
  faultsOf,
  invalidRequestCode,
  methodNotFoundCode,
  type FaultDetail,
  type FaultFactory,
  type PipelineFault,
} from "../../protocol/signed-envelope/fault.ts";
import type { AnyHandler, PipelineOptions } from "./options.ts";
import type { CallContext } from "./call-context.ts";
import { isAbandoned, startDeadline } from "../deadline.ts";
import { createErrorResponse, type ErrorResponse, type ToErrorResponse } from "./error-response.ts";
import { methodPaths } from "../../protocol/signed-envelope/method-paths.ts";
import type { RateLimiter } from "./rate-limiter.ts";
import {
  earlierPointer,
  emptyPageFor,
  failureFor,
  forHandler,
  scopesFor,
  type Route,
  type RoutedRevision,
} from "./revisions/index.ts";
import { createValidate } from "./validate/index.ts";
import type { CallTrace, RawResponse, RawRequest } from "../../protocol/signed-envelope/raw-exchange.ts";
import { tracedStage } from "./traced.ts";

/** One revision of an interface, ready to answer. */
export interface RevisionPipeline {
  readonly revision: string;
  /** Answers one request. Never rejects. */
  answer(request: RawRequest): Promise<RawResponse>;
  /** Whether a request asks for an operation of this revision. */
  has(request: RawRequest): boolean;
  /** The answer to a fault that no method has given; with the id of the request where that can be read. */
  refuse(fault: Fault, status: number, detail: FaultDetail, request?: RawRequest): RawResponse;
}

/** The options that all revisions of an interface share: everything but the tables of handlers and earlier revisions. */
export type SharedOptions = Omit<
  PipelineOptions<Readonly<Record<string, AnyHandler>>>,
  "handlers" | "revisions" | "auth"
> & {
  /** One for the interface: a caller of two revisions has one bucket. */
  readonly limit: RateLimiter | undefined;
  /** One for the interface. */
  readonly scheme: AuthScheme<Caller>;
};

/** Composes the stages decode, authenticate, authorize, validate, dispatch and encode over one revision. */
export function createRevisionPipeline(
  { interfaceDescriptor, routes }: RoutedRevision,
  options: SharedOptions,
): RevisionPipeline {
  const { log, limit, scheme, rules = {} } = options;
  const { callTimeMs = 30_000 } = rules;
  const fault = faultsOf(interfaceDescriptor);
  const authOptions = { scheme, missingAuth: interfaceDescriptor.missingAuth, fault, limit };
  const stages = stagesOf(interfaceDescriptor, fault, options);
  const toErrorResponse = createErrorResponse({
    interfaceDescriptor,
    fault,
    log,
    mapped: rules.httpStatus === "mapped",
  });
  const sought = seekIn(interfaceDescriptor, routes, stages.decode, fault);

  async function answer(request: RawRequest): Promise<RawResponse> {
    const context: CallContext = { id: null, headers: {} };
    const deadline = startDeadline(callTimeMs);
    request.whenLeft?.(deadline.leave);
    let signal: AbortSignal | undefined;
    try {
      const { envelope, method, route, target } = sought(request, context);
      context.method = method;
      const authenticated = await stages.authenticate(target, envelope, request, context, authOptions);
      const authorized = stages.authorize(authenticated, fault, scopesFor(route));
      const valid = stages.validate(authorized);
      signal = deadline.signalOf(route.target.effect === "read");
      const dispatched = stages.dispatch(forHandler(valid, route, fault), route, signal);
      const resultText = await deadline.within(dispatched);
      return resultResponse(stages.encode(method, context.id, resultText), context);
    } catch (thrown) {
      const { method } = context;
      const route = method && routes.get(method.name);
      const empty = emptyPageFor(route, thrown);
      if (method !== undefined && empty !== undefined)
        return resultResponse(stages.encode(method, context.id, empty), context);
      const failure = abandonment(thrown, signal, fault) ?? failureFor(route, thrown);
      return errorResponseOf(toErrorResponse(failure, context, request), context);
    } finally {
      deadline.end();
    }
  }

  return {
    revision: interfaceDescriptor.revision,
    answer,
    has(request) {
      try {
        sought(request, { id: null });
        return true;
      } catch {
        return false;
      }
    },
    refuse: refusals(fault, stages.decode, toErrorResponse),
  };
}

/** Decodes a request and finds its operation. Throws the fault of one that is not there. */
function seekIn(
  interfaceDescriptor: InterfaceDescriptor,
  routes: ReadonlyMap<string, Route>,
  decode: ReturnType<typeof createDecode>,
  fault: FaultFactory,
) {
  const operations = new Map(
    [...routes].map(([name, route]) => [name, { method: route.method, route, target: authTargetOf(route) }]),
  );
  const methodPathOf = methodPaths(interfaceDescriptor);
  return ({ target, body }: RawRequest, decoding: Parameters<typeof decode>[1]) => {
    const methodPath = methodPathOf(target);
    const envelope = decode(body, decoding, methodPath);
    return { envelope, ...operationOf(envelope, methodPath, operations, fault) };
  };
}

/** The fault of a call that nobody waits for any more; undefined of every other failure. */
function abandonment(thrown: unknown, signal: AbortSignal | undefined, fault: FaultFactory) {
  const isGone = signal !== undefined && isAbandoned(thrown, signal);
  return isGone ? fault("unavailable", { reason: "abandoned" }) : undefined;
}

function resultResponse(body: string, context: CallContext): RawResponse {
  return { status: 200, body, headers: context.headers, trace: traceOf(context) };
}

function refusals(
  fault: FaultFactory,
  decode: ReturnType<typeof createDecode>,
  toErrorResponse: ToErrorResponse,
): RevisionPipeline["refuse"] {
  return (name, status, detail, request) => {
    const error = requestFault(fault, name, detail);
    const id = request === undefined ? null : idOf(request, decode);
    const { body, code } = toErrorResponse(error, { id, headers: {} });
    const { reason } = detail;
    return { status, body, headers: {}, trace: omitUndefined({ code, reason }) };
  };
}

/** The stages in their order, each traced. */
function stagesOf(interfaceDescriptor: InterfaceDescriptor, fault: FaultFactory, options: SharedOptions) {
  const { ports, callers, rules = {} } = options;
  const rejectUnknown = rules.unknownFields === "reject";
  const stage = tracedStage(ports.tracer);
  const eventOrigin = eventOriginOf(interfaceDescriptor, options);
  const unit = createUnitOfWork({ ports, callers, eventOrigin, onOutbox: options.onOutbox });
  const { checkResults } = rules;
  const dispatch = createDispatch({ interfaceDescriptor, unit, ports, fault, checkResults });
  return {
    decode: stage("decode", createDecode({ interfaceDescriptor, fault, rejectUnknown })),
    authenticate: stage("authenticate", authenticate),
    authorize: stage("authorize", authorize),
    validate: stage("validate", createValidate(fault, rejectUnknown)),
    dispatch: stage("dispatch", dispatch),
    encode: stage("encode", encodeSuccess),
  };
}

/** One operation of this revision, and what each stage needs of it. */
interface Operation {
  readonly method: MethodDescriptor;
  readonly route: Route;
  readonly target: AuthTarget;
}

/** The operation that an envelope asks for, at the path where it is. Throws the fault of an unknown one. */
function operationOf(
  envelope: Envelope,
  methodPath: string | undefined,
  operations: ReadonlyMap<string, Operation>,
  fault: FaultFactory,
): Operation {
  const name = envelope.kind === "flat" ? envelope.method.name : envelope.methodName;
  const operation = operations.get(name);
  const { transport, path } = operation?.method ?? {};
  if (operation !== undefined && transport?.kind === envelope.kind && path === methodPath) return operation;
  throw fault("unauthorized", { reason: "unknown-method", rpcCode: methodNotFoundCode });
}

function requestFault(fault: FaultFactory, name: Fault, detail: FaultDetail): PipelineFault {
  const rpcCode = name === "badInput" ? { rpcCode: invalidRequestCode } : {};
  return fault(name, { fieldName: "request", ...rpcCode, ...detail });
}

function errorResponseOf(
  { status, body, code, reason, retryAfterSeconds }: ErrorResponse,
  context: CallContext,
): RawResponse {
  const headers =
    retryAfterSeconds === undefined
      ? context.headers
      : { ...context.headers, "Retry-After": String(retryAfterSeconds) };
  const trace = { ...traceOf(context), code, ...omitUndefined({ reason }) };
  return { status, body, headers, trace };
}

/** The id of a request that is refused before it is decoded; null where the request has none. */
function idOf({ body }: RawRequest, decode: ReturnType<typeof createDecode>): string | null {
  const decoding: CallContext = { id: null, headers: {} };
  try {
    decode(body, decoding);
  } catch {
    // The request is refused for another reason already.
  }
  return decoding.id;
}

/**
 * Subscribers speak the revision that they subscribed in. Those who subscribed by another interface than the one whose
 * events are recorded speak that one's current revision, whose events the other interface names.
 */
function eventOriginOf(
  { revision }: InterfaceDescriptor,
  { interfaceDescriptor, eventInterface, eventSource: source }: SharedOptions,
): EventOrigin {
  if (eventInterface === undefined) return { source };
  const isOwn = eventInterface === interfaceDescriptor;
  return {
    source,
    revision: eventInterface.revision,
    subscribers: isOwn ? revision : eventInterface.revision,
  };
}

function authTargetOf({ method, target, steps }: Route): AuthTarget {
  return {
    method,
    currentMethod: target.name,
    fieldName: (currentName) => earlierPointer(steps, `/${currentName}`).slice(1),
  };
}

function traceOf({ method, userName, keyId, failedSignIn }: CallContext): CallTrace {
  return omitUndefined({ method: method?.name, userName, keyId, failedSignIn });
}
