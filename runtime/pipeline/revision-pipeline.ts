import type { Fault, InterfaceDescriptor, MethodDescriptor } from "../contract/index.ts";
import type { AuthScheme, Envelope } from "../ports/index.ts";
import { authenticate, type AuthTarget } from "./authenticate.ts";
import { authorize } from "./authorize/index.ts";
import { createDecode } from "./decode/index.ts";
import { createDispatch, type EventOrigin } from "./dispatch/index.ts";
import { encodeSuccess } from "./encode/index.ts";
import { faultsOf, invalidRequestCode, methodNotFoundCode, type FaultDetail } from "./fault.ts";
import type { AnyHandler, PipelineOptions } from "./options.ts";
import type { CallContext } from "./call-context.ts";
import { createErrorResponse } from "./error-response.ts";
import type { RateLimiter } from "./rate-limiter.ts";
import {
  earlierPointer,
  failureFor,
  forHandler,
  scopesFor,
  type Route,
  type RoutedRevision,
} from "./revisions/index.ts";
import { createValidate } from "./validate/index.ts";
import type { CallTrace, RawResponse, RawRequest } from "./raw-exchange.ts";
import { tracedStage } from "./traced.ts";

/** One revision of an interface, ready to answer. */
export interface RevisionPipeline {
  readonly revision: string;
  /** Answers one request. Never rejects. */
  answer(request: RawRequest): Promise<RawResponse>;
  /** The answer to a fault that no method has given; with the id of the request where that can be read. */
  refuse(fault: Fault, status: number, detail: FaultDetail, request?: RawRequest): RawResponse;
}

/** What the revisions of an interface share: everything but the tables of handlers and earlier revisions. */
export type SharedOptions = Omit<
  PipelineOptions<Readonly<Record<string, AnyHandler>>>,
  "handlers" | "revisions" | "auth"
> & {
  /** One for the interface: whoever speaks two revisions has one bucket. */
  readonly limit: RateLimiter | undefined;
  /** One for the interface. */
  readonly scheme: AuthScheme;
};

/** Composes the stages decode, authenticate, authorize, validate, dispatch and encode over one revision. */
export function createRevisionPipeline(
  { interfaceDescriptor, routes }: RoutedRevision,
  options: SharedOptions,
): RevisionPipeline {
  const { ports, callers, log, limit, scheme, rules = {} } = options;
  const { missingAuth } = interfaceDescriptor;
  const fault = faultsOf(interfaceDescriptor);
  const rejectUnknown = rules.unknownFields === "reject";
  const byName = new Map(Object.entries(interfaceDescriptor.methods));
  const authOptions = { scheme, missingAuth, fault, limit };
  const authTargets = new Map([...routes].map(([name, route]) => [name, authTargetOf(route)]));

  const stage = tracedStage(ports.tracer);
  const decode = stage("decode", createDecode({ interfaceDescriptor, fault, rejectUnknown }));
  const identify = stage("authenticate", authenticate);
  const permit = stage("authorize", authorize);
  const validate = stage("validate", createValidate(fault, rejectUnknown));
  const dispatch = stage(
    "dispatch",
    createDispatch({
      interfaceDescriptor,
      routes,
      ports,
      callers,
      eventOrigin: eventOriginOf(interfaceDescriptor, options),
      fault,
      onOutbox: options.onOutbox,
    }),
  );
  const encode = stage("encode", encodeSuccess);
  const toErrorResponse = createErrorResponse({
    interfaceDescriptor,
    fault,
    log,
    mapped: rules.httpStatus === "mapped",
  });

  function resolve(envelope: Envelope) {
    if (envelope.kind === "flat") return envelope.method;
    const method = byName.get(envelope.methodName);
    if (method?.transport.kind === "enveloped") return method;
    throw fault("unauthorized", { reason: "unknown-method", rpcCode: methodNotFoundCode });
  }

  function routeOf({ name }: MethodDescriptor): readonly [Route, AuthTarget] {
    const route = routes.get(name);
    const target = authTargets.get(name);
    if (route === undefined || target === undefined)
      throw new Error(`${name} was composed without a handler`);
    return [route, target];
  }

  async function answer(request: RawRequest): Promise<RawResponse> {
    const context: CallContext = { id: null, headers: {} };
    try {
      const envelope = decode(request.body, context);
      const method = (context.method = resolve(envelope));
      const [route, target] = routeOf(method);
      const authenticated = await identify(target, envelope, request, context, authOptions);
      const valid = validate(permit(authenticated, fault, scopesFor(route)));
      const call = forHandler(valid, route, fault);
      const body = encode(method, context.id, await dispatch(call));
      return { status: 200, body, headers: context.headers, trace: traceOf(context) };
    } catch (thrown) {
      const route = context.method && routes.get(context.method.name);
      const refused = toErrorResponse(failureFor(route, thrown), context, request);
      const { status, body, code, reason, retryAfterSeconds } = refused;
      const headers =
        retryAfterSeconds === undefined
          ? context.headers
          : { ...context.headers, "Retry-After": String(retryAfterSeconds) };
      const trace = { ...traceOf(context), code, ...(reason === undefined ? {} : { reason }) };
      return { status, body, headers, trace };
    }
  }

  return {
    revision: interfaceDescriptor.revision,
    answer,
    refuse(name, status, detail, request) {
      const rpcCode = name === "badInput" ? { rpcCode: invalidRequestCode } : {};
      const error = fault(name, { fieldName: "request", ...rpcCode, ...detail });
      const { body, code } = toErrorResponse(error, {
        id: request === undefined ? null : idOf(request),
        headers: {},
      });
      const { reason } = detail;
      return { status, body, headers: {}, trace: { code, ...(reason === undefined ? {} : { reason }) } };
    },
  };

  /** The id of a request that is refused for something else. */
  function idOf({ body }: RawRequest): string | null {
    const decoding: CallContext = { id: null, headers: {} };
    try {
      decode(body, decoding);
    } catch {
      // What is wrong with it is not what it is refused for.
    }
    return decoding.id;
  }
}

function eventOriginOf(
  { revision }: InterfaceDescriptor,
  { interfaceDescriptor, eventInterface, eventSource: source }: SharedOptions,
): EventOrigin {
  return {
    source,
    ...(eventInterface === undefined ? {} : { revision: eventInterface.revision }),
    ...(eventInterface === interfaceDescriptor ? { subscribers: revision } : {}),
  };
}

function authTargetOf({ method, target, steps }: Route): AuthTarget {
  return {
    method,
    currentMethod: target.name,
    fieldName: (currentName) => earlierPointer(steps, `/${currentName}`).slice(1),
  };
}

function traceOf({ method, userName, keyId }: CallContext): CallTrace {
  return {
    ...(method === undefined ? {} : { method: method.name }),
    ...(userName === undefined ? {} : { userName }),
    ...(keyId === undefined ? {} : { keyId }),
  };
}
