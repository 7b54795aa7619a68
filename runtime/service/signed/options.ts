import type { ReplayRegister, SchemeVerifier } from "../../auth/port.ts";
import type { InterfaceDescriptor, ServedRevision } from "../../contract/index.ts";
import type { AuthRules, Caller, Callers, SignatureVerifier } from "../../auth/auth-services.ts";
import type { Clock, IdSource, Sealer, Store, Tracer } from "../../store/ports/index.ts";
import type { EventTranslator } from "../event-translator.ts";
import type { Policy } from "../handler-context.ts";

/**
 * Any handler, its types forgotten. Written as a method on purpose: the generated validator and the generated
 * handler type come from the same spec, and the table by method name is where the two meet.
 */
export type AnyHandler = {
  handle(payload: object, context: object): Promise<object>;
}["handle"];

/** The options of `createPipeline`. Each interface has a pipeline of its own. */
export interface PipelineOptions<Handlers extends Readonly<Record<keyof Handlers, AnyHandler>>> {
  /** `ledgerInterface` of `generated/ledger/methods.ts`. */
  readonly interfaceDescriptor: InterfaceDescriptor;
  /** `ledgerHandlers` of `ledger/handlers/ledger/index.ts`. A method without a handler fails at composition. */
  readonly handlers: Handlers;
  /** `ledgerRevisions` of the same file: the earlier revisions that are served too, oldest first. Default: none. */
  readonly revisions?: readonly ServedRevision[];
  /** Whose credentials are taken: users of another realm are unknown here. */
  readonly realm: string;
  /** How callers are known: `signedEnvelope()` of `runtime/auth`. */
  readonly auth: SchemeVerifier<string, Caller>;
  /** What credentials that are good once have used; one for the process. Default: one in memory. */
  readonly replays?: ReplayRegister;
  readonly ports: PipelinePorts;
  /** One for the process, shared by its pipelines: a revocation through one is seen by all at once. */
  readonly callers: Callers;
  /** One for the process, so that signatures of concurrent requests are verified back to back. */
  readonly verifier: SignatureVerifier;
  /** Where the causes of `internal` faults go. A pino logger fits. */
  readonly log: FailureLog;
  /** The source that events are announced under (section 4.16). */
  readonly eventSource: string;
  /**
   * The interface whose events are recorded, in the words of its revision: this one, whose subscriptions then are noted
   * with the revision that they were made in; or another. Default: no revision is noted.
   */
  readonly eventInterface?: InterfaceDescriptor;
  readonly rules?: PipelineRules;
  /** Called after each commit that left mails or events in their outboxes: their dispatchers start at once. */
  readonly onOutbox?: OutboxListener;
}

export type OutboxListener = (left: {
  readonly mails: boolean;
  readonly events: boolean;
  /** Whether deliveries were queued otherwise than by an event. */
  readonly deliveries: boolean;
}) => void;

export interface PipelinePorts {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly sealer: Sealer;
  /** What an application's handlers find in their context beside the engine's parts. */
  readonly context?: object;
  readonly policy: Policy;
  /** Absent: events are sent as they were recorded. */
  readonly eventTranslator?: EventTranslator;
  /** Absent: calls are not traced. */
  readonly tracer?: Tracer;
  /** Turns a draft into the message that is sealed into the outbox. */
}

export interface FailureLog {
  error(fields: object, message: string): void;
}

/** The configured rules, each with the decision that names it. Absent ones take the default given. */
export interface PipelineRules extends AuthRules {
  /** `validation.unknownFields` (D-13). Default `ignore`. */
  readonly unknownFields?: "ignore" | "reject";
  /** `errors.httpStatus` (D-02): `ok` answers 200 once the envelope could be parsed. Default `ok`. */
  readonly httpStatus?: "ok" | "mapped";
  /** Whether a result that does not fit the spec is the `internal` fault. Default: true, unless `NODE_ENV` is `production`. */
  readonly checkResults?: boolean;
  /** Milliseconds that one call has; what its handler does from then on is rolled back. Default 30,000. */
  readonly callTimeMs?: number;
  /** D-45: token bucket per credential. Default: no limit. */
  readonly rateLimit?: { readonly perSecond: number; readonly burst: number };
}
