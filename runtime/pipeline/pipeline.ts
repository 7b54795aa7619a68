import type { AuthIdentities, ReplayRegister, SchemeVerifier } from "../auth/port.ts";
import type { AuthRules, Caller, Callers, SignatureVerifier } from "../auth/auth-services.ts";
import {
  omitUndefined,
  type SignedInterfaceDescriptor,
  type JsonRpcInterfaceDescriptor,
  type ServedRevision,
} from "../contract/index.ts";
import { jsonRpc } from "../protocol/json-rpc/index.ts";
import { refuse, type DecodedCall, type Protocol, type ServedMethod } from "../protocol/port.ts";
import { signedEnvelopes, type EnvelopeRules } from "../protocol/signed-envelope/index.ts";
import { engineStore, createUnitOfWork, type PipelinePorts } from "./engine-store.ts";
import type { AnyHandler, EngineOptions, RateOptions } from "../service/options.ts";
import { checkContract } from "../service/checks.ts";
import { failureLog, joinedHeader, tracedAnswer, type FailureLog } from "./observing.ts";
import type { KeyUses } from "./handler-context.ts";
import type { EventOrigin, OutboxListener } from "./outbox.ts";
import type { EarlierRevision } from "../service/route.ts";
import {
  answerBy,
  refusedBy,
  refusedWith,
  serveRevisions,
  type Pipeline,
  type RawRequest,
  type RawResponse,
  type ServedInterface,
} from "../service/service.ts";

/** What the pipelines of a service have in common. */
export interface EngineParts {
  readonly ports: PipelinePorts;
  /** What credentials that are good once have used; one for the process. Default: one in memory. */
  readonly replays?: ReplayRegister;
  /** One for the process, shared by its pipelines: a revocation through one is seen by all at once. */
  readonly callers: Callers & KeyUses;
  /** One for the process, so that signatures of concurrent requests are verified back to back. */
  readonly verifier: SignatureVerifier;
  /** Where failures go that callers do not learn of. A pino logger fits. */
  readonly log: FailureLog;
  /** The source that events are announced under (section 4.16). */
  readonly eventSource: string;
  /**
   * The interface whose events are recorded, in the words of its revision. It may be this one, whose subscriptions
   * then note the revision that they were made in. Default: no revision is noted.
   */
  readonly eventInterface?: SignedInterfaceDescriptor;
  readonly rules?: PipelineRules;
  /** Called after each commit that left mails or events in their outboxes: their dispatchers start at once. */
  readonly onOutbox?: OutboxListener;
}

/** The options of `createPipeline`. Each interface has a pipeline of its own. */
export interface PipelineOptions<
  Handlers extends Readonly<Record<keyof Handlers, AnyHandler>>,
> extends EngineParts {
  /** `ledgerInterface` of `generated/ledger/methods.ts`. */
  readonly interfaceDescriptor: SignedInterfaceDescriptor;
  /** `ledgerHandlers` of `ledger/handlers/ledger/index.ts`. A method without a handler fails at composition. */
  readonly handlers: Handlers;
  /** `ledgerRevisions` of the same file: the earlier revisions that are served too, oldest first. Default: none. */
  readonly revisions?: readonly ServedRevision[];
  /** Whose credentials are taken: users of another realm are unknown here. */
  readonly realm: string;
  /** How callers are known: `signedEnvelope()` of `runtime/auth`. */
  readonly auth: SchemeVerifier<string, Caller>;
}

export interface StandardPipelineOptions extends EngineParts {
  readonly descriptor: JsonRpcInterfaceDescriptor;
  readonly handlers: Readonly<Record<string, AnyHandler>>;
  /** Whose credentials are taken, by schemes over the users of the store. */
  readonly realm: string;
  /** A verifier for each authentication scheme of the spec. */
  readonly auth: Readonly<Record<string, SchemeVerifier>>;
  /** Who calls, in the words of the engine; `auth` is empty where a method is open. */
  callerOf(auth: AuthIdentities): Caller;
}

/** The configured rules, each with the decision that names it. Absent ones take the default given. */
export interface PipelineRules extends AuthRules, EnvelopeRules {
  /** Whether a result that does not fit the spec is the `internal` fault. Default: true, unless `NODE_ENV` is `production`. */
  readonly checkResults?: boolean;
  /** Milliseconds that one call has; what its handler does from then on is rolled back. Default 30,000. */
  readonly callTimeMs?: number;
  /** Token bucket per credential. Default: no limit. */
  readonly rateLimit?: { readonly perSecond: number; readonly burst: number };
}

/** A signed interface at work, with its earlier revisions. */
export function createPipeline<Handlers extends Readonly<Record<keyof Handlers, AnyHandler>>>(
  options: PipelineOptions<Handlers>,
): Pipeline {
  const { interfaceDescriptor, handlers, revisions = [], auth, rules = {} } = options;
  const { name, authScheme } = interfaceDescriptor;
  if (auth.kind !== authScheme) {
    throw new Error(
      `the spec of the ${name} interface names the authentication scheme ${authScheme} (auth.scheme), and its row has ` +
        `${auth.kind}: correct the spec, or give the row the scheme`,
    );
  }
  const earlier = revisions.map(({ interfaceDescriptor: descriptor, methods }) => ({
    protocol: signedEnvelopes(descriptor, rules),
    methods,
  }));
  return pipelineOf(signedEnvelopes(interfaceDescriptor, rules), earlier, {
    ...options,
    handlers: { ...handlers },
    auth: { [authScheme]: auth },
    callerOf: ({ [authScheme]: identity }) => callerIn(identity?.caller),
    isEventInterface: options.eventInterface === interfaceDescriptor,
    countsStrangers: false,
  });
}

function callerIn(caller: unknown): Caller {
  if (isCaller(caller)) return caller;
  throw new Error("the scheme of a signed interface gives no user of an institution");
}

function isCaller(caller: unknown): caller is Caller {
  return typeof caller === "object" && caller !== null && "userName" in caller && "institutionId" in caller;
}

/** A standard interface at work: its calls are counted, logged and bounded as those of signed interfaces are. */
export function createStandardPipeline(options: StandardPipelineOptions): Pipeline {
  checkContract(options.descriptor);
  const protocol = jsonRpc(options.descriptor);
  return pipelineOf(protocol, [], { ...options, isEventInterface: false, countsStrangers: true });
}

interface Serving
  extends EngineParts, Pick<StandardPipelineOptions, "handlers" | "realm" | "auth" | "callerOf"> {
  /** Whether its subscriptions are noted with the revision that they were made in. */
  readonly isEventInterface: boolean;
  /** Whether callers whom nobody knows are counted, by their addresses. */
  readonly countsStrangers: boolean;
}

/** Names the revision that a request is written in. */
const revisionHeader = "x-interface-revision";

/** Where only one revision is served, it answers everyone and looks at no header. */
function pipelineOf<Method extends ServedMethod, Call extends DecodedCall>(
  protocol: Protocol<Method, Call>,
  earlier: readonly EarlierRevision<Method, Call>[],
  serving: Serving,
): Pipeline {
  const served = serveRevisions(protocol, earlier, serving.handlers, (revision) =>
    optionsOf(serving, revision),
  );
  const [oldest] = served;
  const current = served.at(-1);
  if (oldest === undefined || current === undefined) throw new Error("an interface has a revision");
  const byRevision = new Map(served.map((each) => [each.protocol.revision, each]));
  const paths = new Set(served.flatMap((each) => [each.protocol.path, ...(each.protocol.otherPaths ?? [])]));
  const otherPaths = [...paths].filter((path) => path !== protocol.path);

  /** The revision that a request is in. Nothing for one that is not served. */
  const spokenBy = (request: Pick<RawRequest, "header">): ServedInterface | undefined => {
    const asked = joinedHeader(request, revisionHeader);
    return asked === undefined ? oldest : byRevision.get(asked.trim());
  };

  const answerIn = async (request: RawRequest): Promise<RawResponse> => {
    const spoken = spokenBy(request);
    if (spoken === undefined) {
      const data = { revisions: [...byRevision.keys()] };
      const detail = { fieldName: "X-Interface-Revision", reason: "unknown-revision", data };
      return refusedWith(current.refuse(refuse("invalidRequest", detail), request.body), 400);
    }
    const answered = await answerBy(spoken, request);
    const isUnknown = answered.trace.code !== undefined && answered.trace.method === undefined;
    // Nothing was done: the request asks for what the oldest revision does not have.
    const later =
      isUnknown && request.header(revisionHeader).length === 0
        ? served.find((each) => each !== spoken && each.has(request.body, request.target))
        : undefined;
    return later === undefined ? said(answered, spoken) : said(await answerBy(later, request), later);
  };

  const failures = (["internalError", "unavailable"] as const).flatMap(
    (fault) => current.refuse(refuse(fault)).refused?.code ?? [],
  );
  const answer = served.length === 1 ? (request: RawRequest) => answerBy(current, request) : answerIn;
  return {
    name: protocol.name,
    revision: protocol.revision,
    path: protocol.path,
    messageBytesMax: protocol.messageBytesMax,
    ...omitUndefined({ http: protocol.http, otherPaths: otherPaths.length === 0 ? undefined : otherPaths }),
    answer: tracedAnswer(serving.ports.tracer, { name: protocol.name, failures }, answer),
    refuse(fault, status, reason, request) {
      const spoken = (request && spokenBy(request)) ?? current;
      const answered = refusedBy(spoken, fault, status, reason);
      // Counted for no revision: what asks so may be no caller.
      return served.length === 1 ? answered : { ...answered, revision: spoken.protocol.revision };
    },
  };
}

/** An answer with the revision that it is in. */
function said(answer: RawResponse, { protocol: { revision } }: ServedInterface): RawResponse {
  return { ...answer, revision, trace: { ...answer.trace, revision } };
}

/** What a revision of an interface works with. */
function optionsOf(
  { ports, callers, verifier, replays, log, rules = {}, auth, realm, callerOf, ...serving }: Serving,
  revision: string,
): EngineOptions {
  const { clock, sealer, tracer } = ports;
  const { perSecond, burst } = rules.rateLimit ?? { perSecond: 0, burst: 0 };
  const eventOrigin = eventOriginOf(serving, revision);
  const unit = createUnitOfWork({ ports, callers, eventOrigin, onOutbox: serving.onOutbox });
  const keyOf: RateOptions["keyOf"] = ({ evidence }) =>
    serving.countsStrangers ? (evidence.peerAddress ?? "") : undefined;
  return omitUndefined({
    auth,
    realm,
    clock,
    replays,
    tracer,
    services: { callers, verifier, rules },
    store: engineStore({ unit, clock, sealer, callerOf }),
    userOf: (known: AuthIdentities) =>
      Object.keys(known).length === 0 ? undefined : callerOf(known).userName,
    checkResults: rules.checkResults,
    limits: omitUndefined({ timeoutMs: rules.callTimeMs }),
    rate: perSecond > 0 ? { callsPerMinute: perSecond * 60, burst, keyOf } : undefined,
    onFailure: failureLog(log),
  });
}

/**
 * Subscribers speak the revision that they subscribed in. Those who subscribed by another interface than the one whose
 * events are recorded speak that one's current revision, whose events the other interface names.
 */
function eventOriginOf(
  {
    eventSource: source,
    eventInterface,
    isEventInterface,
  }: Pick<Serving, "eventSource" | "eventInterface" | "isEventInterface">,
  own: string,
): EventOrigin {
  if (eventInterface === undefined) return { source };
  const { revision } = eventInterface;
  return { source, revision, subscribers: isEventInterface ? own : revision };
}
