import { randomUUID } from "node:crypto";
import { once } from "node:events";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Express } from "express";
import type { Logger } from "pino";
import type { Pipeline } from "../../pipeline/index.ts";
import { UnavailableError } from "../../store/ports/index.ts";
import { anyName } from "../../transport/http/refusals.ts";
import {
  type Endpoint,
  type EndpointParts,
  type HttpHandler,
  createEndpoint,
  evidenceOf,
  jsonType,
  mounted,
  requestIdFrom,
  sendResponse,
} from "../../transport/http/endpoint.ts";
import { type UnreadAnswers, createUnreadAnswers } from "../../transport/http/bodies.ts";
import { type WorkLimiter, createWorkLimiter } from "./limiter.ts";
import {
  type CallLog,
  type Overload,
  type OverloadReason,
  type RequestLog,
  createOverload,
  createRequestLog,
} from "./log.ts";
import type { AnsweredCall, Metrics, ShownLoad } from "./metrics.ts";
import { type Refuse, type RefusePage, createPages } from "./pages.ts";
import { type OpenPort, type PortState, type ServerLimits, openPort } from "../../transport/http/server.ts";

export interface HttpService extends OpenPort {
  load(): ShownLoad;
}

/**
 * Serves one pipeline on one port: its endpoint and pages behind limits of connections and of requests per connection.
 * Rejects if the port cannot be had.
 */
export async function serveHttp(options: HttpOptions): Promise<HttpService> {
  const { host, port, names = [anyName], limits = {}, pipeline, others = [], metrics } = options;
  const { work = createWorkLimiter(), newRequestId = randomUUID } = options;
  const overload = createOverload(options);
  const { answerBytesMax, ...serverLimits } = limits;
  const unread = createUnreadAnswers(answerBytesMax, () =>
    metrics.connectionRefused(pipeline.name, "answers-not-read"),
  );
  const app = (state: PortState) => createApp({ ...options, work }, state, overload, unread);
  const opened = await openPort(
    app,
    { host, port, names, ...serverLimits },
    {
      bodyBytesMax: Math.max(...[pipeline, ...others].map(({ messageBytesMax }) => messageBytesMax)),
      isHalfOpen: true,
      events: {
        opened: (_connection, open) => metrics.connections(pipeline.name, open),
        closed: (_connection, open) => metrics.connections(pipeline.name, open),
        refused: (reason) => metrics.connectionRefused(pipeline.name, reason),
      },
      isUrgent: isHealth,
      refuse(request, response, reason) {
        const requestId = requestIdFrom(request, newRequestId);
        request.resume();
        const frame = { requestId, revision: pipeline.revision, closing: true };
        sendResponse(response, overload.refuse(reason), frame);
      },
      errorResponse() {
        const { status, headers, body } = overload.refuse("connections");
        return { status, body, headers: { "Content-Type": jsonType, ...headers } };
      },
    },
  );
  const load = (): ShownLoad => ({ ...work.load(), parsed: opened.outstanding() });
  metrics.showLoad(pipeline.name, load);
  return { ...opened, load };
}

/** Options of `rpc` beside its pipeline. None is needed. */
export interface RpcOptions {
  /** Gets one line per call, without payload, credential or header, and of strangers 100 a minute. A pino logger fits. Default: no lines. */
  readonly logger?: CallLog;
  /** Gets one report per call. `createMetrics()` fits. Default: no reports. */
  readonly metrics?: CallMetrics;
  /** Bounds the calls at work; share one between the endpoints of a process. Default: one of its own. */
  readonly work?: WorkLimiter;
  /** Names a request without `X-Request-Id`. Default: a random UUID. */
  readonly newRequestId?: () => string;
}

export interface CallMetrics {
  answered(call: AnsweredCall): void;
  refused(interfaceName: string, reason: OverloadReason): void;
}

const silent: CallLog = { info() {}, warn() {}, error() {} };
const uncounted: CallMetrics = { answered() {}, refused() {} };

/**
 * The endpoint of an interface as a request handler for any Express app:
 * `app.post(pipeline.path, rpc(pipeline))` or `app.use("/jsonrpc", rpc(pipeline))`; methods with paths of their own
 * need those of `pipeline.otherPaths` too, each as it is. What `rpc` of an interface and handlers says holds here.
 */
export function rpc(pipeline: Pipeline, options: RpcOptions = {}): HttpHandler {
  const { logger = silent, metrics = uncounted } = options;
  const { work = createWorkLimiter(), newRequestId = randomUUID } = options;
  const overload = createOverload({ pipeline, metrics, logger });
  const log = createRequestLog({ logger, interfaceName: pipeline.name });
  const unread = createUnreadAnswers();
  const parts = { work, newRequestId, overload, unread, log: countedLog(pipeline, log, metrics, overload) };
  return mounted(endpointOn(pipeline, parts));
}

interface PortParts extends Pick<EndpointParts, "connections" | "unread" | "log"> {
  readonly work: WorkLimiter;
  readonly overload: Overload;
  readonly newRequestId: () => string;
}

function endpointOn(pipeline: Pipeline, { work, overload, ...parts }: PortParts): Endpoint {
  return createEndpoint(pipeline, {
    ...parts,
    bodies: work.bodies,
    admission: { enter: work.enter, refuse: overload.refuse },
  });
}

/** Counts and logs answers. Those of overload have one line for many. */
function countedLog(
  { name }: Pipeline,
  log: RequestLog,
  metrics: Pick<CallMetrics, "answered">,
  overload: Overload,
): RequestLog {
  return {
    ...log,
    answered(answer) {
      metrics.answered({ interfaceName: name, seconds: answer.ms / 1000, ...answer.response.trace });
      if (!overload.noted(answer.response)) log.answered(answer);
    },
  };
}

function isHealth({ url }: IncomingMessage): boolean {
  const path = pathOf(url);
  return path === "/healthz" || path === "/readyz";
}

/**
 * Everything that one port answers: the endpoints, and beside them health, metrics, added pages, and real statuses for
 * the rest. Only the added pages and the rest are an Express application, which is made with the first of these requests.
 */
function createApp(
  options: HttpOptions & { readonly work: WorkLimiter },
  tracker: PortState,
  overload: Overload,
  unread: UnreadAnswers,
): RequestListener {
  const log = createRequestLog({ logger: options.logger, interfaceName: options.pipeline.name });
  const endpoints = endpointsOf(options, { tracker, overload, unread, log });
  const texts = healthAndMetrics(options, tracker, log);
  let pages: Express | undefined;

  const refuse = refuseOn(options, tracker, log);
  const refusePage = refusePageBy(refuse, log);

  async function answerPage(
    request: IncomingMessage,
    response: ServerResponse,
    text: (() => Promise<TextPage>) | undefined,
  ): Promise<void> {
    try {
      // A caller that asks again and again on one connection would keep a closing port open.
      if (await tracker.isLast(request)) response.setHeader("Connection", "close");
      if (text === undefined) {
        if (response.socket === null) await isFirstInLine(response);
        pages ??= createPages(options.addRoutes, refuse, refusePage);
        pages(request, response);
      } else if (request.method === "GET" || request.method === "HEAD") {
        sendText(response, await text());
      } else {
        response.setHeader("Allow", "GET, HEAD");
        refuse(request, response, "invalidRequest", 405, "http-method");
      }
    } catch (error) {
      refusePage(error, request, response);
    }
  }

  return function answer(request, response) {
    const unreadable = unreadableTarget(request.url);
    if (unreadable !== undefined) {
      return refuse(request, response, "invalidRequest", unreadable === "url" ? 400 : 404, unreadable);
    }
    const path = pathOf(request.url);
    const endpoint = endpoints.get(path);
    if (endpoint !== undefined) return endpoint(request, response, request.url ?? path);
    void answerPage(request, response, texts.get(path));
  };
}

/**
 * Follows when the responses before it are sent. Until then it has no socket, and never hears that the connection was
 * closed. A file opened for it would stay open for good.
 */
function isFirstInLine(response: ServerResponse): Promise<unknown> {
  return once(response, "socket");
}

/** Answers a fault of the transport. */
function refuseOn(options: HttpOptions, tracker: PortState, log: RequestLog): Refuse {
  const { pipeline, metrics, newRequestId = randomUUID } = options;
  return (request, response, fault, status, reason) => {
    const refused = pipeline.refuse(fault, status, reason, evidenceOf(request, Buffer.alloc(0)));
    const requestId = requestIdFrom(request, newRequestId);
    const revision = refused.revision ?? pipeline.revision;
    sendResponse(response, refused, { requestId, revision, closing: tracker.closing });
    metrics.answered({ interfaceName: pipeline.name, seconds: 0, ...refused.trace });
    log.refused(requestId, refused);
  };
}

/** Answers a request whose page could not be made, or not be sent whole. */
function refusePageBy(refuse: Refuse, log: RequestLog): RefusePage {
  return (error, request, response) => {
    if (response.headersSent) response.destroy();
    else if (isMalformedUrl(error)) refuse(request, response, "invalidRequest", 400, "url");
    else if (error instanceof UnavailableError) refuse(request, response, "unavailable", 503, "store");
    else {
      log.failed("page", { err: error }, "a page failed unexpectedly");
      refuse(request, response, "internalError", 500, "page");
    }
  };
}

interface OwnParts {
  readonly tracker: PortState;
  readonly overload: Overload;
  readonly unread: UnreadAnswers;
  /** The log of the port's own interface. */
  readonly log: RequestLog;
}

/** The endpoint of each interface of the port, by all its paths. */
function endpointsOf(
  options: HttpOptions & { readonly work: WorkLimiter },
  { tracker: connections, overload, unread, log: own }: OwnParts,
): ReadonlyMap<string, Endpoint> {
  const { pipeline, others = [], metrics, logger, work, newRequestId = randomUUID } = options;
  const shared = { overload, newRequestId, connections, work, unread };
  return new Map(
    [pipeline, ...others].flatMap((each) => {
      const log = each === pipeline ? own : createRequestLog({ logger, interfaceName: each.name });
      const endpoint = endpointOn(each, { ...shared, log: countedLog(each, log, metrics, overload) });
      return [each.path, ...(each.otherPaths ?? [])].map((path) => [path, endpoint] as const);
    }),
  );
}

/** Express refuses a path whose percent-encoding is broken. */
function isMalformedUrl(error: unknown): boolean {
  return error instanceof URIError;
}

function sendText(response: ServerResponse, { status, text, type }: TextPage): void {
  response.writeHead(status, {
    "Content-Type": type,
    "Content-Length": Buffer.byteLength(text),
    "Cache-Control": "no-store",
  });
  response.end(text);
}

/** The options of one listening port. */
export interface HttpOptions {
  /** `127.0.0.1`, `::`. */
  readonly host: string;
  /** Names that requests may be for, beside those that the port listens on. Default: any. */
  readonly names?: readonly string[];
  /** 0 takes a free one. */
  readonly port: number;
  readonly pipeline: Pipeline;
  /** Further interfaces on the same port, each on a path of its own. */
  readonly others?: readonly Pipeline[];
  /** Gets one line a request: never a payload, a credential or a header. */
  readonly logger: Logger;
  /** One for the process: `/metrics` of every port shows all. */
  readonly metrics: Metrics;
  /** Whether this port serves `/metrics`. Default: yes. */
  readonly showMetrics?: boolean;
  /** One for the process: bounds what is worked on at once over all ports. Default: one of its own. */
  readonly work?: WorkLimiter;
  /**
   * Rejects while the service cannot answer: `store.ping`. Asked by `/readyz`, which says why where it is asked by an
   * `UnavailableError`.
   */
  ready(): Promise<void>;
  /** Names a request whose caller did not; default: a random UUID. */
  newRequestId?(): string;
  /** Adds further pages before the 404: `/.well-known/jwks.json`, reference pages. */
  addRoutes?(app: Express): void;
  readonly limits?: PortLimits;
}

export interface PortLimits extends ServerLimits {
  /**
   * Bytes of answers that callers leave unread. Beyond it, those that have left something unread for longest are
   * disconnected. Default 64 MiB.
   */
  readonly answerBytesMax?: number;
}

/** A page that machines read: health and metrics. */
interface TextPage {
  readonly status: number;
  readonly text: string;
  readonly type: string;
}

const plainText = "text/plain; charset=utf-8";

/** The pages of a port that machines read, by their paths. Made anew for each request; what rejects is a fault of ours. */
function healthAndMetrics(
  options: HttpOptions,
  tracker: PortState,
  log: RequestLog,
): ReadonlyMap<string, () => Promise<TextPage>> {
  const { metrics, showMetrics = true } = options;
  const readiness = async (): Promise<TextPage> => {
    const obstacle = tracker.closing ? "shutting down" : await obstacleOf(options, log);
    if (obstacle === undefined) return { status: 200, text: "ready\n", type: plainText };
    const text = obstacle === "" ? "not ready\n" : `not ready: ${obstacle}\n`;
    return { status: 503, text, type: plainText };
  };
  const figures = async (): Promise<TextPage> => ({
    status: 200,
    text: await metrics.text(),
    type: metrics.contentType,
  });
  return new Map([
    ["/healthz", healthPage],
    ["/readyz", readiness],
    ...(showMetrics ? [["/metrics", figures] as const] : []),
  ]);
}

async function healthPage(): Promise<TextPage> {
  return { status: 200, text: "ok\n", type: plainText };
}

/** Why the service cannot answer: `""` where the reason is not public; undefined where it can. */
async function obstacleOf({ ready }: HttpOptions, log: RequestLog): Promise<string | undefined> {
  try {
    await ready();
    return undefined;
  } catch (error) {
    // The store itself has logged it, once.
    if (error instanceof UnavailableError) return error.message;
    log.failed("not-ready", { err: error }, "not ready");
    return "";
  }
}

/** The absolute form that proxies send has a host (RFC 9112 §3.2.2); Express takes a first path segment for one. */
const absoluteForm = /^[a-z][a-z0-9+.-]*:\/\/[^/\\?#]+/i;

/** Why a request target has no path: Express itself would answer with a page of its own, or read another path. */
function unreadableTarget(url = ""): "url" | "path" | undefined {
  if (url.startsWith("/") || url === "*") return undefined;
  if (!URL.canParse(url)) return "url";
  return absoluteForm.test(url) ? undefined : "path";
}

/** The path of a readable request target, as it was sent: in origin form, or in the absolute form of proxies. */
function pathOf(url = ""): string {
  const target = url.startsWith("/") ? url : url.replace(absoluteForm, "");
  const end = target.search(/[?#]/);
  const path = end < 0 ? target : target.slice(0, end);
  return path === "" ? "/" : path;
}
