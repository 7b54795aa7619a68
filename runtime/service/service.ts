import { countedAddress } from "../contract/address.ts";
import {
  type AnyNotifications,
  type JsonRpcInterfaceDescriptor,
  type NotificationParams,
  omitUndefined,
  type ServiceFault,
} from "../contract/index.ts";
import { createAuthenticator, type Authenticator } from "../auth/authenticator.ts";
import {
  refuse,
  type DecodedCall,
  type Protocol,
  type Refused,
  type ServedMethod,
} from "../protocol/port.ts";
import type { Evidence } from "../auth/port.ts";
import { jsonRpc, notificationText } from "../protocol/json-rpc/index.ts";
import { admit, type Admission } from "./discovery.ts";
import { createAnswerCall, tracedStage } from "./answer-call.ts";
import { createAnswerMessage, type Answer } from "./answer-message.ts";
import { createAuthenticate, createRateLimiter } from "./authenticate.ts";
import { type Deadline, createFailureReport, createOutcomes } from "./outcome.ts";
import { checkContract, checkHandlers, checkLimits } from "./checks.ts";
import type { AnyHandler, AnyHandlers, CallReport, EngineOptions, Peer, ServiceOptions } from "./options.ts";
import { routedRevisions, type EarlierRevision, type RoutedRevision } from "./route.ts";
import type { NotificationsIn, OptionsFor } from "./typed.ts";

/** An interface at work, whatever its protocol. It can be reached over several transports at once. */
export interface ServedInterface {
  readonly protocol: Pick<
    Protocol,
    "name" | "revision" | "path" | "otherPaths" | "transports" | "messageBytesMax" | "http"
  >;
  /** Authentication is done once for each peer: an HTTP request, a WebSocket connection, a pair of pipes. */
  open(peer: Peer): Session;
  /** The answer to what a transport refuses before it is a message; with the id of `bytes`, where they have one. */
  refuse(refused: Refused, bytes?: Buffer): Answer;
  /** Whether a message asks for a method of this interface. */
  has(bytes: Buffer, target: string): boolean;
  /** Reports a failure that no call is to blame for. */
  report(error: unknown): void;
}

export interface Session {
  /** Answers one message. Never rejects. */
  answer(bytes: Buffer): Promise<Answer>;
  /** Whether the credentials are good for one method at least: asked before a connection is kept open. */
  admit(): Promise<Admission>;
  /** The other end is gone: the signals of its calls at work that change nothing abort. */
  leave(): void;
}

/** A standard interface at work, with its notifications. */
export interface RpcService<Notifications extends object = AnyNotifications> extends ServedInterface {
  readonly descriptor: JsonRpcInterfaceDescriptor;
  /**
   * A message that the service sends by itself over connections that stay open.
   * @throws ContractError where the interface does not declare it, or the params do not fit the spec.
   */
  notification<Name extends keyof Notifications & string>(
    method: Name,
    ...params: NotificationParams<Notifications[Name]>
  ): string;
}

/**
 * Serves an interface: `createService(tasksInterface, handlers, { auth, context, store })`.
 * @throws Error where a handler or a verifier is missing, or the generated code is newer than this runtime.
 */
export function createService<
  Descriptor extends JsonRpcInterfaceDescriptor,
  Handlers extends AnyHandlers<Handlers>,
>(
  descriptor: Descriptor,
  handlers: Handlers,
  ...[options]: OptionsFor<Descriptor, Handlers, ServiceOptions>
): RpcService<NotificationsIn<Handlers>> {
  return startService(descriptor, { ...handlers }, options ?? {});
}

/** The same without its types. */
export function startService(
  descriptor: JsonRpcInterfaceDescriptor,
  handlers: Readonly<Record<string, AnyHandler>>,
  options: ServiceOptions,
): RpcService {
  checkContract(descriptor);
  const { messageBytes: bytes, depth } = options.limits ?? {};
  const protocol = jsonRpc(descriptor, omitUndefined({ bytes, depth }));
  return {
    ...serviceOf(protocol, handlers, options),
    descriptor,
    notification: (method, params) => notificationText(descriptor, method, params),
  };
}

/**
 * Serves an interface of any protocol: `serviceOf(framing(descriptor), handlers, { auth, context, store })`.
 * @throws Error where a handler or a verifier is missing.
 */
export function serviceOf<Method extends ServedMethod, Call extends DecodedCall>(
  protocol: Protocol<Method, Call>,
  handlers: Readonly<Record<string, AnyHandler>>,
  options: EngineOptions = {},
): ServedInterface {
  const [own] = serveRevisions(protocol, [], handlers, () => options);
  if (own === undefined) throw new Error("an interface has a revision");
  return own;
}

/** The revisions of an interface, oldest first: the calls of a caller in all of them are counted together. */
export function serveRevisions<Method extends ServedMethod, Call extends DecodedCall>(
  protocol: Protocol<Method, Call>,
  earlier: readonly EarlierRevision<Method, Call>[],
  handlers: Readonly<Record<string, AnyHandler>>,
  optionsOf: (revision: string) => EngineOptions,
): readonly ServedInterface[] {
  checkHandlers(protocol, handlers);
  const { rate, clock } = optionsOf(protocol.revision);
  const limiter = rate && createRateLimiter(rate, () => clock?.now() ?? Date.now());
  const routed = routedRevisions(protocol, earlier, new Map(Object.entries(handlers)));
  return routed.map((revision) => serveRevision(revision, optionsOf(revision.protocol.revision), limiter));
}

function serveRevision<Method extends ServedMethod, Call extends DecodedCall>(
  revision: RoutedRevision<Method, Call>,
  options: EngineOptions,
  limiter: ReturnType<typeof createRateLimiter> | undefined,
): ServedInterface {
  const { protocol, routes } = revision;
  const limits = checkLimits(options.limits);
  const { timeoutMs, batchAnswersBytes } = limits;
  const report = createFailureReport(protocol.name, options.onFailure);
  const outcomes = createOutcomes(protocol, report);
  const stage = tracedStage(options.tracer, (refused) => outcomes.refused(refused).code);
  const authenticator = authenticatorOf(protocol, options);
  const keyOf = options.rate?.keyOf ?? (({ evidence }) => evidence.peerAddress ?? "");
  const authenticate = createAuthenticate({
    limiter,
    keyOf,
    report: (error) => report(error),
    ...omitUndefined({ userOf: options.userOf }),
  });
  const answerCall = createAnswerCall({ ...revision, options, limits, authenticate, report, stage });
  const parts = { protocol, timeoutMs, batchAnswersBytes, answerCall, outcomes, stage };
  const answerMessage = createAnswerMessage(parts);
  return {
    protocol,
    report: (error) => report(error),
    has(bytes, target) {
      const message = protocol.decode(bytes, target);
      if (message.kind !== "single" || message.call.kind === "invalid") return false;
      const route = routes.get(message.call.method);
      return route !== undefined && protocol.refusalOf?.(route.method, message.call) === undefined;
    },
    refuse(refused, bytes) {
      const { code, reason, print, httpStatus } = outcomes.refused(refused);
      const text = print(bytes === undefined ? "null" : idOf(protocol.decode(bytes, "")));
      return { text, httpStatus, headers: {}, refused: omitUndefined({ code, reason }) };
    },
    open(peer) {
      const requestAuth = authenticator.begin(peer.evidence);
      const idempotencyKey = idempotencyKeyOf(peer);
      const deadlines = new Set<Deadline>();
      // Where the transport bounds the calls, nobody compares addresses.
      const address = peer.admit === undefined ? countedAddress(peer.evidence.peerAddress) : "";
      const calls = { address, atWork: 0, waiting: 0 };
      const from = { peer, requestAuth, deadlines, calls, idempotencyKey };
      return {
        answer: (bytes) => answerMessage(bytes, from),
        admit: () => admit(protocol, requestAuth),
        leave() {
          for (const deadline of deadlines) deadline.leave();
        },
      };
    },
  };
}

function authenticatorOf<Method extends ServedMethod, Call extends DecodedCall>(
  { name, schemes, methods, securityOf }: Protocol<Method, Call>,
  options: EngineOptions,
): Authenticator {
  const { auth = {}, clock, replays, onAuth: onEvent, realm, services } = options;
  const secured = Object.values(methods).map((method) => ({
    name: method.name,
    security: securityOf(method),
  }));
  const given = omitUndefined({ clock, replays, onEvent, realm, services });
  return createAuthenticator({ name, schemes, methods: secured }, auth, given);
}

/** A key names one request: the headers of a handshake are there for all calls of a connection. */
function idempotencyKeyOf({ transport, evidence }: Peer): string | undefined {
  const keys = transport === "http" ? evidence.header("idempotency-key") : [];
  return keys.length === 0 ? undefined : keys.join(", ");
}

function idOf(message: ReturnType<Protocol["decode"]>): string {
  if (message.kind === "batch") return "null";
  return (message.kind === "refused" ? message.id : message.call.id) ?? "null";
}

/** A request as the transport hands it over: complete, within the body limit, nothing interpreted. */
export interface RawRequest extends Omit<Evidence, "call"> {
  readonly body: Buffer;
  /** Names the request in logs, in the `X-Request-Id` header and in answers of the `internal` fault. */
  readonly requestId?: string;
  /** Told of what to call where the caller leaves before it has the answer. Absent: nobody knows. */
  readonly whenLeft?: (leave: () => void) => void;
  /**
   * Asked once the caller is known: waits while this user has too many calls at work. Gives false where that takes too
   * long. Absent: the service bounds the calls at work.
   */
  readonly admit?: (userName: string) => boolean | Promise<boolean>;
}

/** The response to a request, before HTTP sends it. */
export interface RawResponse {
  /** HTTP status. */
  readonly status: number;
  /** JSON text; empty where there is nothing to answer. */
  readonly body: string;
  /** Headers beyond those of every answer: `Retry-After`, `RateLimit-*`, a line for each challenge. */
  readonly headers: Answer["headers"];
  /** The revision that it is in, where several are served. */
  readonly revision?: string;
  readonly trace: CallTrace;
}

/**
 * The fields of a call that log lines and metrics may show. But for `failedSignIn` it holds nothing that a caller wrote and
 * that was not verified first.
 */
export interface CallTrace extends Pick<
  CallReport,
  "method" | "code" | "reason" | "userName" | "keyId" | "failedSignIn"
> {
  /** The revision that the call was made in, where several are served. */
  readonly revision?: string;
  /** Absent where the call is not traced. */
  readonly traceId?: string;
}

/** One interface, in all its revisions, ready to answer requests. */
export interface Pipeline extends Pick<
  Protocol,
  "name" | "path" | "otherPaths" | "messageBytesMax" | "http"
> {
  /** Own revision, sent in `X-Interface-Revision` where an answer is in no other. */
  readonly revision: string;
  /** Answers one request. Never rejects. */
  answer(request: RawRequest): Promise<RawResponse>;
  /** The answer to a fault of the transport, before anything was decoded: in the current revision without a request. */
  refuse(
    fault: ServiceFault,
    status: number,
    reason: string,
    request?: Pick<RawRequest, "header">,
  ): RawResponse;
}

/** A service as HTTP calls it. */
export function pipelineOver(service: ServedInterface): Pipeline {
  const { name, revision, path, messageBytesMax, http, otherPaths } = service.protocol;
  return {
    name,
    revision,
    path,
    messageBytesMax,
    ...omitUndefined({ http, otherPaths }),
    answer: (request) => answerBy(service, request),
    refuse: (fault, status, reason) => refusedBy(service, fault, status, reason),
  };
}

export function refusedBy(
  service: ServedInterface,
  fault: ServiceFault,
  status: number,
  reason: string,
): RawResponse {
  return refusedWith(service.refuse(refuse(fault, { fieldName: "request", reason })), status);
}

export function refusedWith(
  { text = "", refused: trace = { code: "" } }: Answer,
  status: number,
): RawResponse {
  return { status, body: text, headers: {}, trace };
}

/** One request, answered by one revision. */
export async function answerBy(service: ServedInterface, request: RawRequest): Promise<RawResponse> {
  let report: CallReport | undefined;
  const { requestId, admit, whenLeft } = request;
  const session = service.open({
    transport: "http",
    evidence: request,
    onCall: (call) => void (report = call),
    ...omitUndefined({ requestId, admit }),
  });
  whenLeft?.(session.leave);
  const { text = "", httpStatus, headers, refused: wholly } = await session.answer(request.body);
  return { status: httpStatus, body: text, headers, trace: wholly ?? traceOf(report) };
}

function traceOf(report: CallReport | undefined): CallTrace {
  if (report === undefined) return {};
  const { method, userName, keyId, failedSignIn, code, reason } = report;
  return omitUndefined({ method, userName, keyId, failedSignIn, code, reason });
}
