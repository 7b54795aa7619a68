import { countedAddress } from "../contract/address.ts";
import {
  type AnyNotifications,
  type JsonRpcInterfaceDescriptor,
  type NotificationParams,
  omitUndefined,
} from "../contract/index.ts";
import { createAuthenticator } from "../auth/authenticator.ts";
import { admit, type Admission } from "./admit.ts";
import { createAnswerCall } from "./answer-call.ts";
import { createAnswerMessage, type Answer } from "./answer-message.ts";
import { checkStart } from "./check-start.ts";
import type { Deadline } from "./deadline.ts";
import { createFailureReport } from "./failure.ts";
import { checkLimits } from "./limits.ts";
import { notificationText } from "./notification.ts";
import { createOutcomes } from "./outcome.ts";
import type { AnyHandler, AnyHandlers, ServiceOptions } from "./options.ts";
import type { Peer } from "./peer.ts";

/** The part of a service that answers. */
export interface AnsweringService {
  readonly descriptor: JsonRpcInterfaceDescriptor;
  /** Bytes of the largest message that is taken. */
  readonly messageBytesMax: number;
  /** Authentication is done once for each peer: an HTTP request, a WebSocket connection, a pair of pipes. */
  open(peer: Peer): Session;
  /** Reports a failure that no call is to blame for. */
  report(error: unknown): void;
}

/** An interface at work. One service can be reached over several transports at once. */
export interface RpcService<Notifications extends object = AnyNotifications> extends AnsweringService {
  /**
   * A message that the service sends by itself over connections that stay open.
   * @throws ContractError where the interface does not declare it, or the params do not fit the spec.
   */
  notification<Name extends keyof Notifications & string>(
    method: Name,
    ...params: NotificationParams<Notifications[Name]>
  ): string;
}

export interface Session {
  /** Answers one message. Never rejects. */
  answer(bytes: Buffer): Promise<Answer>;
  /** Whether the credentials are good for one method at least: asked before a connection is kept open. */
  admit(): Promise<Admission>;
  /** The other end is gone: the signals of its calls at work that change nothing abort. */
  leave(): void;
}
import type { NotificationsIn, OptionsFor } from "./typed.ts";

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
  checkStart(descriptor, handlers);
  const limits = checkLimits(options.limits);
  const report = createFailureReport(descriptor.name, options.onFailure);
  const authenticator = createAuthenticator(
    descriptor,
    options.auth ?? {},
    omitUndefined({ clock: options.clock, replays: options.replays, onEvent: options.onAuth }),
  );
  const answerMessage = createAnswerMessage({
    descriptor,
    limits: limits.message,
    timeoutMs: limits.timeoutMs,
    batchAnswersBytes: limits.batchAnswersBytes,
    answerCall: createAnswerCall({ descriptor, handlers, options, limits, report }),
    outcomes: createOutcomes(descriptor, report),
  });
  return {
    descriptor,
    messageBytesMax: limits.message.bytes,
    report: (error) => report(error),
    notification: (method, params) => notificationText(descriptor, method, params),
    open(peer) {
      const requestAuth = authenticator.begin(peer.evidence);
      const idempotencyKey = idempotencyKeyOf(peer);
      const deadlines = new Set<Deadline>();
      const calls = { address: countedAddress(peer.evidence.peerAddress), atWork: 0, waiting: 0 };
      const from = { peer, requestAuth, deadlines, calls, idempotencyKey };
      return {
        answer: (bytes) => answerMessage(bytes, from),
        admit: () => admit(descriptor, requestAuth),
        leave() {
          for (const deadline of deadlines) deadline.leave();
        },
      };
    },
  };
}

/** A key names one request: the headers of a handshake are there for all calls of a connection. */
function idempotencyKeyOf({ transport, evidence }: Peer): string | undefined {
  const keys = transport === "http" ? evidence.header("idempotency-key") : [];
  return keys.length === 0 ? undefined : keys.join(", ");
}
