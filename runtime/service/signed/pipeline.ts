import type { AuthScheme } from "../../auth/port.ts";
import { createReplayRegister } from "../../auth/replays.ts";
import { omitUndefined, type Fault } from "../../contract/index.ts";
import type { Caller } from "../../auth/auth-services.ts";
import { ownPaths } from "../../protocol/signed-envelope/method-paths.ts";
import type { AnyHandler, PipelineOptions } from "./options.ts";
import { createRateLimiter } from "./rate-limiter.ts";
import { createRevisionPipeline, type RevisionPipeline } from "./revision-pipeline.ts";
import { routedRevisions } from "./revisions/index.ts";
import type { RawResponse, RawRequest } from "../../protocol/signed-envelope/raw-exchange.ts";
import { tracedAnswer } from "./traced.ts";

/** One interface, ready to answer. */
export interface Pipeline {
  /** Name of the interface. */
  readonly name: string;
  /** Own revision, sent in `X-Interface-Revision` where an answer is in no other (D-46). */
  readonly revision: string;
  /** Request path. */
  readonly path: string;
  /** Further paths: those of methods, and those that earlier revisions had. */
  readonly otherPaths?: readonly string[];
  /** Answers one request. Never rejects. */
  answer(request: RawRequest): Promise<RawResponse>;
  /** The answer to a fault of the transport, before anything was decoded (D-02): in the current revision without a request. */
  refuse(fault: Fault, status: number, reason: string, request?: Pick<RawRequest, "header">): RawResponse;
}

/** Names the revision that a request is written in (D-46). */
const revisionHeader = "x-interface-revision";

/**
 * Composes the stages over each revision of one interface. Where only one is served, it answers everyone and looks
 * at no header.
 */
export function createPipeline<Handlers extends Readonly<Record<keyof Handlers, AnyHandler>>>(
  options: PipelineOptions<Handlers>,
): Pipeline {
  const { interfaceDescriptor, handlers, revisions: earlier = [], ...rest } = options;
  const { ports, rules = {} } = options;
  const limit = rules.rateLimit && createRateLimiter({ clock: ports.clock, ...rules.rateLimit });
  const shared = { ...rest, interfaceDescriptor, limit, scheme: schemeOf(options) };
  const routed = routedRevisions(
    interfaceDescriptor,
    earlier,
    new Map<string, AnyHandler>(Object.entries(handlers)),
  );
  const served = routed.map((revision) => createRevisionPipeline(revision, shared));
  const [oldest] = served;
  const current = served.at(-1);
  if (oldest === undefined || current === undefined) throw new Error("an interface has a revision");
  const revisions = served.map(({ revision }) => revision);
  const descriptors = [interfaceDescriptor, ...earlier.map((each) => each.interfaceDescriptor)];
  const paths = new Set(descriptors.flatMap((each) => [each.path, ...ownPaths(each)]));
  const otherPaths = [...paths].filter((path) => path !== interfaceDescriptor.path);
  const byRevision = new Map(served.map((each) => [each.revision, each]));

  /** The revision that a request is in. Nothing for one that is not served. */
  const spokenBy = ({ header }: Pick<RawRequest, "header">): RevisionPipeline | undefined => {
    const asked = header(revisionHeader);
    return asked === undefined ? oldest : byRevision.get(asked.trim());
  };

  const answerIn = async (request: RawRequest): Promise<RawResponse> => {
    const spoken = spokenBy(request);
    if (spoken === undefined) {
      const detail = { fieldName: "X-Interface-Revision", reason: "unknown-revision", data: { revisions } };
      return current.refuse("badInput", 400, detail, request);
    }
    const answer = await spoken.answer(request);
    const isUnknown = answer.trace.code !== undefined && answer.trace.method === undefined;
    // Nothing was done: the request asks for what the oldest revision does not have.
    const later =
      isUnknown && request.header(revisionHeader) === undefined
        ? served.find((each) => each !== spoken && each.has(request))
        : undefined;
    return later === undefined ? said(answer, spoken) : said(await later.answer(request), later);
  };

  return {
    name: interfaceDescriptor.name,
    revision: interfaceDescriptor.revision,
    path: interfaceDescriptor.path,
    ...omitUndefined({ otherPaths: otherPaths.length === 0 ? undefined : otherPaths }),
    answer: tracedAnswer(ports.tracer, interfaceDescriptor, served.length === 1 ? current.answer : answerIn),
    refuse(fault, status, reason, request) {
      const spoken = (request && spokenBy(request)) ?? current;
      const refused = spoken.refuse(fault, status, { reason });
      // Counted for no revision: what asks so may be no caller.
      return served.length === 1 ? refused : { ...refused, revision: spoken.revision };
    },
  };
}

/**
 * The scheme of an interface at work.
 * @throws Error where the spec names another scheme.
 */
function schemeOf({
  interfaceDescriptor: { name, authScheme },
  auth,
  realm,
  ports: { clock },
  callers,
  verifier,
  rules = {},
  replays = createReplayRegister({ clock }),
}: Omit<
  PipelineOptions<Readonly<Record<string, AnyHandler>>>,
  "handlers" | "revisions"
>): AuthScheme<Caller> {
  if (auth.kind !== authScheme) {
    throw new Error(
      `the spec of the ${name} interface names the authentication scheme ${authScheme} (auth.scheme), and its row has ` +
        `${auth.kind}: correct the spec, or give the row the scheme`,
    );
  }
  const services = { callers, verifier, rules };
  return auth.bind({ kind: authScheme }, { scheme: authScheme, realm, clock, replays, services });
}

/** An answer with the revision that it is in. */
function said(answer: RawResponse, { revision }: RevisionPipeline): RawResponse {
  return { ...answer, revision, trace: { ...answer.trace, revision } };
}
