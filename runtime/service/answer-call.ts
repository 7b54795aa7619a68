import {
  type JsonRpcInterfaceDescriptor,
  type JsonRpcMethodDescriptor,
  omitUndefined,
} from "../contract/index.ts";
import type { AuthIdentities, Evidence } from "../auth/port.ts";
import type { DecodedCall } from "../protocol/json-rpc/index.ts";
import { authorize } from "./authorize.ts";
import type { Deadline } from "./deadline.ts";
import { createDiscovery, type Discovery } from "./discovery.ts";
import { createDispatch, type ReadyCall } from "./dispatch.ts";
import type { ReportFailure } from "./failure.ts";
import { findMethod } from "./find-method.ts";
import { createCallLimiter } from "./limiter.ts";
import type { CheckedLimits } from "./limits.ts";
import type { AnyHandler, CallInfo, ServiceOptions } from "./options.ts";
import { createOutcomes, type Outcome } from "./outcome.ts";
import type { OpenPeer } from "./peer.ts";
import { createRateLimiter } from "./rate-limiter.ts";
import { callError, type CallError } from "./call-error.ts";
import { hasExactNumbers, validate } from "./validate.ts";

export interface ServiceParts {
  readonly descriptor: JsonRpcInterfaceDescriptor;
  readonly handlers: Readonly<Record<string, AnyHandler>>;
  readonly options: ServiceOptions;
  readonly limits: CheckedLimits;
  readonly report: ReportFailure;
}

/** A call in its message. */
export interface Calling {
  readonly call: DecodedCall;
  readonly from: OpenPeer;
  readonly deadline: Deadline;
  readonly inBatch?: {
    readonly position: number;
    /** Whether there is room for the answer beside those that unfinished batches hold. */
    readonly hasRoom: boolean;
  };
}

export type AnswerCall = (calling: Calling) => Promise<Outcome>;

/**
 * The stages of every call, whatever carries it: find the method → authenticate and authorize → count → validate →
 * dispatch. Never rejects.
 */
export function createAnswerCall(parts: ServiceParts): AnswerCall {
  const { descriptor, options, report } = parts;
  const discovery = options.discover === false ? undefined : createDiscovery(descriptor);
  const answered = withDiscovery(descriptor, discovery);
  const limiter = createCallLimiter(parts.limits.callsAtOnce, parts.limits.callsQueued);
  const outcomes = createOutcomes(descriptor, report);
  const carryOut = createCarryOut(parts, discovery);

  /** A call that is out of time gives its permit back: a handler that never ends does not hold up others. */
  async function permitted(method: JsonRpcMethodDescriptor, calling: Calling): Promise<Outcome> {
    const { deadline, from } = calling;
    const signal = deadline.signalOf(method.effect === "read");
    if (signal.aborted) return outcomes.stopped(signal);
    const permit = calling.inBatch?.hasRoom !== false && limiter.enter(from.calls, signal);
    if (permit !== true && !(await permit)) return outcomes.stopped(signal);
    try {
      const dispatched = await deadline.within(carryOut(method, calling, signal));
      return dispatched.kind === "refused"
        ? outcomes.refused(dispatched)
        : outcomes.done(dispatched.resultText);
    } catch (error) {
      return outcomes.thrown(method, error, signal);
    } finally {
      limiter.leave(from.calls);
    }
  }

  return async (calling) => {
    const startedAtMs = performance.now();
    const found = findMethod(answered, calling.call);
    const outcome =
      found.kind === "refused" ? outcomes.refused(found) : await permitted(found.method, calling);
    try {
      const { transport, onCall } = calling.from.peer;
      const done = omitUndefined({
        interfaceName: descriptor.name,
        method: found.kind === "refused" ? undefined : found.method.name,
        transport,
        isNotification: calling.call.id === undefined,
        outcome: nameOf(outcome),
        elapsedMs: performance.now() - startedAtMs,
      });
      onCall?.(done);
      options.onCall?.(done);
    } catch (error) {
      report(error);
    }
    return outcome;
  };
}

function withDiscovery(
  descriptor: JsonRpcInterfaceDescriptor,
  discovery: Discovery | undefined,
): JsonRpcInterfaceDescriptor {
  if (discovery === undefined) return descriptor;
  const { method } = discovery;
  return { ...descriptor, methods: { ...descriptor.methods, [method.name]: method } };
}

function nameOf(outcome: Outcome): string {
  if (outcome.kind === "result") return "ok";
  return outcome.isAbandoned === true ? "abandoned" : outcome.error.name;
}

type Done = { readonly kind: "done"; readonly resultText: string };

/** The steps that need a permit. Rejects with what the handler, the store or the application's context threw. */
function createCarryOut({ descriptor, handlers, options }: ServiceParts, discovery: Discovery | undefined) {
  const count = createCount(options);
  const readsExactly = hasExactNumbers(descriptor);
  const dispatch = createDispatch(descriptor, options);

  return async (
    method: JsonRpcMethodDescriptor,
    calling: Calling,
    signal: AbortSignal,
  ): Promise<Done | CallError> => {
    const { call, from } = calling;
    const isDiscovery = method === discovery?.method;
    const authorized = await (isDiscovery
      ? discovery.authorize(from.requestAuth, call)
      : authorize(from.requestAuth, method, call));
    const auth = authorized.kind === "refused" ? {} : authorized.auth;
    const counted = count(auth, from.peer.evidence);
    if (counted !== undefined) return counted;
    if (authorized.kind === "refused") return authorized;
    const valid = validate(method, call, readsExactly);
    if (valid.kind === "refused") return valid;
    if (isDiscovery) return { kind: "done", resultText: discovery.textFor(auth) };
    const handler = handlers[method.name];
    if (handler === undefined) throw new Error(`${method.name} has no handler`);
    return dispatch({ ...readyCall(method, auth, calling, signal), payload: valid.payload, handler });
  };
}

function readyCall(
  method: JsonRpcMethodDescriptor,
  auth: AuthIdentities,
  { call, from, inBatch }: Calling,
  signal: AbortSignal,
): Pick<ReadyCall, "info" | "notify" | "repetition"> {
  const { transport, evidence, notify } = from.peer;
  const info: CallInfo = { method, transport, auth, evidence, signal };
  const key = from.idempotencyKey;
  const { method: name, paramsBytes } = call;
  return omitUndefined({
    info,
    notify,
    repetition:
      key === undefined || method.effect === "read"
        ? undefined
        : { key: inBatch === undefined ? key : `${key}#${inBatch.position}`, method: name, paramsBytes },
  });
}

/** Counts calls, not messages. Refused ones count too: guesses at credentials are bounded. */
function createCount({
  rate,
  clock,
}: ServiceOptions): (auth: AuthIdentities, evidence: Evidence) => CallError | undefined {
  if (rate === undefined) return () => undefined;
  const limiter = createRateLimiter(rate, () => clock?.now() ?? Date.now());
  const keyOf = rate.keyOf ?? (({ evidence }) => evidence.peerAddress ?? "");
  return (auth, evidence) => {
    const taken = limiter.take(keyOf({ auth, evidence }));
    return taken.ok ? undefined : callError("rateLimited", { retryAfter: taken.retryAfterS });
  };
}
