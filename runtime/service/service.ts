import { countedAddress } from "../contract/address.ts";
import {
  type AnyNotifications,
  type JsonRpcInterfaceDescriptor,
  type NotificationParams,
  omitUndefined,
  type JsonRpcTransport,
} from "../contract/index.ts";
import { createAuthenticator, type Authenticator } from "../auth/authenticator.ts";
import type { DecodedCall, Protocol, Refused, ServedMethod } from "../protocol/port.ts";
import { jsonRpc, notificationText } from "../protocol/json-rpc/index.ts";
import { admit, type Admission } from "./discovery.ts";
import { createAnswerCall, tracedStage } from "./answer-call.ts";
import { createAnswerMessage, type Answer } from "./answer-message.ts";
import { createAuthenticate, createRateLimiter } from "./authenticate.ts";
import { type Deadline, createFailureReport, createOutcomes } from "./outcome.ts";
import {
  checkLimits,
  type AnyHandler,
  type AnyHandlers,
  type EngineOptions,
  type ServiceOptions,
} from "./options.ts";
import type { Peer } from "./peer.ts";
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

/** The version of the contract between generated code and this runtime. It takes the one before, too. */
export const contractVersion: number = 1;

/** @throws Error where the handlers are not those of the interface. */
export function checkHandlers(
  { name, methods }: Pick<Protocol, "name" | "methods">,
  handlers: Readonly<Record<string, unknown>>,
): void {
  const missing = Object.keys(methods).filter((method) => typeof handlersOf(handlers, method) !== "function");
  if (missing.length > 0)
    throw new Error(`the ${name} interface has no handler for ${missing.join(", ")}: add it to the handlers`);
  const surplus = Object.keys(handlers).filter((method) => !Object.hasOwn(methods, method));
  if (surplus.length > 0) {
    const known = Object.keys(methods).join(", ");
    throw new Error(
      `there is a handler for ${surplus.join(", ")}, and the ${name} interface has only ${known}`,
    );
  }
}

function handlersOf(handlers: Readonly<Record<string, unknown>>, method: string): unknown {
  return Object.hasOwn(handlers, method) ? handlers[method] : undefined;
}

/** @throws Error where the generated code and this runtime do not fit each other. */
export function checkContract({
  name,
  contract,
}: {
  readonly name: string;
  readonly contract: number;
}): void {
  if (contract > contractVersion) {
    throw new Error(
      `the ${name} interface was generated for version ${contract} of the contract, this runtime has version ` +
        `${contractVersion}: install the runtime package of the version of ledger-rpc that generated it`,
    );
  }
  if (contract < contractVersion - 1) {
    throw new Error(
      `the ${name} interface was generated for version ${contract} of the contract, this runtime takes ` +
        `${contractVersion - 1} and ${contractVersion}: generate it again with the ledger-rpc of this version`,
    );
  }
}

/**
 * Clients and exports are made for the transports of the spec: serving another one is a mistake.
 * @throws Error where the spec does not declare the transport.
 */
export function checkTransport(
  { name, transports }: Pick<Protocol, "name" | "transports">,
  transport: JsonRpcTransport,
): void {
  if (transports === undefined || transports.includes(transport)) return;
  throw new Error(
    `the ${name} interface is not declared for ${transport}: add it to \`wire.transports\` of the spec, which has ` +
      `${transports.join(", ")}, and generate the code again`,
  );
}
