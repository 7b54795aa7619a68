import type { AuthIdentities, AuthObserver, AuthOutcome } from "../auth/port.ts";
import {
  isRefused,
  refuse,
  type CallTarget,
  type DecodedCall,
  type Protocol,
  type Refused,
  type ServedMethod,
} from "../protocol/port.ts";
import type { Authenticate } from "./authenticate.ts";
import { type Deadline, type ReportFailure, createOutcomes, type Outcome } from "./outcome.ts";
import { createDiscovery } from "./discovery.ts";
import { createDispatch, type Dispatched } from "./dispatch.ts";
import { createCallLimiter, type PeerCalls } from "./limiter.ts";
import type { CheckedLimits } from "./checks.ts";
import type { CallFacts, CallInfo, CallReport, EngineOptions, Peer } from "./options.ts";
import type { RequestAuth } from "../auth/authenticator.ts";
import { omitUndefined } from "../contract/index.ts";
import type { Tracer } from "../platform/tracer.ts";
import {
  earlierPointer,
  emptyPageFor,
  failureFor,
  forHandler,
  scopesFor,
  type Route,
  type RoutedRevision,
} from "./route.ts";

export interface CallParts<Method extends ServedMethod, Call extends DecodedCall> extends RoutedRevision<
  Method,
  Call
> {
  readonly options: EngineOptions;
  readonly limits: CheckedLimits;
  readonly authenticate: Authenticate;
  readonly report: ReportFailure;
  readonly stage: TracedStage;
}

/** A call in its message. */
export interface Calling<Call> {
  readonly call: Call;
  readonly from: OpenPeer;
  readonly deadline: Deadline;
  readonly facts: CallFacts;
  readonly inBatch?: {
    readonly position: number;
    /** Whether there is room for the answer beside those that unfinished batches hold. */
    readonly hasRoom: boolean;
  };
}

/** A peer with its authentication, which is done once for all of its calls. */
export interface OpenPeer {
  readonly peer: Peer;
  readonly requestAuth: RequestAuth;
  /** Of its messages that are at work. */
  readonly deadlines: Set<Deadline>;
  readonly calls: PeerCalls;
  /** The value of `Idempotency-Key`. */
  readonly idempotencyKey: string | undefined;
}

export type AnswerCall<Call> = (calling: Calling<Call>) => Outcome | Promise<Outcome>;

/** A method at work. */
interface Operation<Method extends ServedMethod, Call> extends CallTarget<Method> {
  readonly route: Route<Method>;
  /** The names of which a scope has to hold one, where scopes name methods. */
  readonly names: readonly string[];
  /** Absent: the method is open. */
  authorize?(calling: Calling<Call>, observer: AuthObserver): Promise<AuthOutcome>;
  /** Answers without a handler. */
  answer?(auth: AuthIdentities): string;
}

/**
 * The stages of every call, whatever its protocol and its transport: find the method → authenticate, count and authorize →
 * validate → dispatch. Never rejects.
 */
export function createAnswerCall<Method extends ServedMethod, Call extends DecodedCall>(
  parts: CallParts<Method, Call>,
): AnswerCall<Call> {
  const { protocol, options, report } = parts;
  const operations = operationsOf(parts);
  const carryOut = createCarryOut(parts);
  const outcomes = createOutcomes(protocol, report);
  const { callsAtOnce, callsQueued } = parts.limits;
  const limiter = createCallLimiter(callsAtOnce, callsQueued);
  const tell = reporter(parts);

  function find(call: Call): Operation<Method, Call> | Refused {
    const operation = operations.get(call.method);
    if (operation === undefined) return refuse("methodNotFound");
    return protocol.refusalOf?.(operation.method, call) ?? operation;
  }

  /** A call that is out of time gives its permit back: a handler that never ends does not hold up others. */
  async function permitted(operation: Operation<Method, Call>, calling: Calling<Call>): Promise<Outcome> {
    const { method, route } = operation;
    const { deadline, from, inBatch } = calling;
    const signal = deadline.signalOf(route.target.effect === "read");
    if (signal.aborted) return outcomes.stopped(signal, method);
    const isBounded = from.peer.admit !== undefined;
    const permit = isBounded || (inBatch?.hasRoom !== false && limiter.enter(from.calls, signal));
    if (permit !== true && !(await permit)) return outcomes.stopped(signal, method);
    try {
      const done = await deadline.within(carryOut(operation, calling, signal));
      if (done.kind === "refused") return outcomes.refused(done, method, from.peer.requestId);
      return outcomes.done(method, done.resultText);
    } catch (error) {
      const empty = emptyPageFor(route, error, protocol);
      if (empty !== undefined) return outcomes.done(method, empty);
      const { requestId, evidence } = from.peer;
      const of = omitUndefined({ method: method.name, requestId, sent: evidence.body });
      return outcomes.thrown(failureFor(route, error), method, signal, of);
    } finally {
      if (!isBounded) limiter.leave(from.calls);
    }
  }

  async function reported(
    found: Operation<Method, Call> | Refused,
    calling: Calling<Call>,
    startedAtMs: number,
  ): Promise<Outcome> {
    const isFound = !("fault" in found);
    const outcome = isFound ? await permitted(found, calling) : outcomes.refused(found);
    tell(calling, isFound ? found.method.name : undefined, outcome, performance.now() - startedAtMs);
    return outcome;
  }

  return (calling) => {
    const found = find(calling.call);
    if (calling.from.peer.onCall !== undefined || options.onCall !== undefined)
      return reported(found, calling, performance.now());
    return "fault" in found ? outcomes.refused(found) : permitted(found, calling);
  };
}

/** Gives each call's report to those who asked for it. */
function reporter<Method extends ServedMethod, Call extends DecodedCall>({
  protocol,
  options,
  report,
}: CallParts<Method, Call>) {
  return (calling: Calling<Call>, method: string | undefined, outcome: Outcome, elapsedMs: number): void => {
    try {
      const called = reportOf({ interfaceName: protocol.name, method, elapsedMs }, calling, outcome);
      calling.from.peer.onCall?.(called);
      options.onCall?.(called);
    } catch (error) {
      report(error);
    }
  };
}

/** One object: each call has a report. */
function reportOf(
  {
    interfaceName,
    method,
    elapsedMs,
  }: Pick<CallReport, "interfaceName" | "elapsedMs"> & {
    readonly method: string | undefined;
  },
  { from, call, facts: { userName, keyId, failedSignIn } }: Calling<DecodedCall>,
  outcome: Outcome,
): CallReport {
  const isFailure = outcome.kind === "failure";
  return omitUndefined({
    interfaceName,
    method,
    transport: from.peer.transport,
    isNotification: call.id === undefined,
    userName,
    keyId,
    failedSignIn,
    outcome: !isFailure ? "ok" : outcome.isAbandoned === true ? "abandoned" : outcome.code,
    code: isFailure ? outcome.code : undefined,
    reason: isFailure ? outcome.reason : undefined,
    elapsedMs,
  });
}

/** The methods of a revision, and what the service answers by itself. */
function operationsOf<Method extends ServedMethod, Call extends DecodedCall>({
  protocol,
  routes,
  options,
}: CallParts<Method, Call>): ReadonlyMap<string, Operation<Method, Call>> {
  const operations = new Map<string, Operation<Method, Call>>();
  const add = (route: Route<Method>, more: Partial<Operation<Method, Call>> = {}): void => {
    const { method, target, steps } = route;
    const secured = { name: method.name, security: protocol.securityOf(method) };
    const own: Operation<Method, Call> = {
      route,
      method,
      currentMethod: target.name,
      names: scopesFor(route),
      fieldName: (currentName) => earlierPointer(steps, `/${currentName}`).slice(1),
      ...(secured.security.length > 0 && {
        authorize: ({ call, from }, observer) =>
          from.requestAuth.authorize(secured, protocol.evidenceOf(call, own), observer),
      }),
      ...more,
    };
    operations.set(method.name, own);
  };
  for (const route of routes.values()) add(route);
  const { discovery } = protocol;
  if (discovery === undefined || options.discover === false) return operations;
  const { method, document } = discovery;
  const { authorize, textFor } = createDiscovery(protocol, document);
  const handler = (): never => {
    throw new Error(`${method.name} has no handler`);
  };
  const { name: identity } = method;
  add(
    { method, target: method, targetRevision: protocol.revision, handler, steps: [], identity },
    {
      authorize: ({ call, from }, observer) => authorize(from.requestAuth, { method: call.method }, observer),
      answer: textFor,
    },
  );
  return operations;
}

/** The steps that need a permit. Rejects with what the handler, the store or the application's context threw. */
function createCarryOut<Method extends ServedMethod, Call extends DecodedCall>(
  parts: CallParts<Method, Call>,
) {
  const { protocol, options, stage } = parts;
  const authenticate = stage("authenticate", parts.authenticate);
  const authorize = stage("authorize", authorizeIn(protocol));
  const read = stage("validate", protocol.read);
  const dispatch = stage("dispatch", createDispatch(protocol, options));

  return async (
    operation: Operation<Method, Call>,
    calling: Calling<Call>,
    signal: AbortSignal,
  ): Promise<Dispatched> => {
    const { route, method } = operation;
    const { call, from, facts } = calling;
    const { authorize: askSchemes } = operation;
    const ask = askSchemes && ((observer: AuthObserver) => askSchemes(calling, observer));
    const asked = authenticate(ask, from, facts);
    const granted = asked instanceof Promise ? await asked : asked;
    if (granted.kind === "refused") return granted;
    const { auth, requestIdentity } = granted;
    const forbidden = operation.answer === undefined ? authorize(auth, operation.names) : undefined;
    if (forbidden !== undefined) return forbidden;
    const valid = read(method, call);
    if (valid.kind === "refused") return valid;
    if (operation.answer !== undefined) return { kind: "done", resultText: operation.answer(auth) };
    const current = route.steps.length === 0 ? valid : forHandler(valid.payload, route, protocol);
    if (current.kind === "refused") return current;
    const { transport, evidence, notify } = from.peer;
    const info: CallInfo = { method: route.target, transport, auth, evidence, signal };
    const { idempotencyKey } = from;
    const position = calling.inBatch?.position;
    const known = {
      requestIdentity,
      idempotencyKey,
      position,
      methodIdentity: route.identity,
      keyId: facts.keyId,
    };
    return dispatch({
      info,
      route,
      payload: current.payload,
      ...omitUndefined({ notify }),
      identify: () => protocol.identify?.(route.target, call, known),
    });
  };
}

/** Whether the scopes that were granted hold a method, where they name methods. */
function authorizeIn({ allows }: Pick<Protocol, "allows">) {
  return (auth: AuthIdentities, names: readonly string[]): Refused | undefined => {
    if (allows === undefined) return undefined;
    return Object.values(auth).every(({ scopes }) => allows(scopes, names)) ? undefined : refuse("forbidden");
  };
}

/** Makes a stage a span; gives it back as it is where tracing is off. */
export type TracedStage = <Given extends readonly unknown[], Outcome>(
  name: string,
  stage: (...given: Given) => Outcome,
) => (...given: Given) => Outcome;

/** A refusal of a stage fails its span, with the code of the answer. */
export function tracedStage(tracer: Tracer | undefined, codeOf: (refused: Refused) => string): TracedStage {
  return (name, stage) =>
    tracer === undefined
      ? stage
      : (...given) =>
          tracer.span({ name }, (span) => {
            const failIfRefused = (outcome: unknown): void => {
              if (isRefused(outcome)) span.fail(codeOf(outcome));
            };
            const outcome = stage(...given);
            if (outcome instanceof Promise) outcome.then(failIfRefused, () => undefined);
            else failIfRefused(outcome);
            return outcome;
          });
}
