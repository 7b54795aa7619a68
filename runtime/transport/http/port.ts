import { randomUUID } from "node:crypto";
import { once } from "node:events";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Express } from "express";
import type { Logger } from "pino";
import { omitUndefined } from "../../contract/index.ts";
import { bodyBytesMax } from "../../protocol/signed-envelope/index.ts";
import type { Pipeline } from "../../service/pipeline/index.ts";
import { UnavailableError } from "../../store/ports/index.ts";
import { anyName } from "./refusals.ts";
import { type WorkLimiter, createWorkLimiter } from "./limiter.ts";
import { type Overload, type RequestLog, createOverload, createRequestLog } from "./log.ts";
import { type Endpoint, jsonType } from "./endpoint.ts";
import type { Metrics, ShownLoad } from "./metrics.ts";
import { type Refuse, type RefusePage, createPages } from "./pages.ts";
import { type Drained, type PortState, type ServerLimits, guardedServer } from "./server.ts";
import {
  createEndpoint,
  pathOf,
  requestIdFrom,
  sendResponse,
  unreadableTarget,
  withHeaders,
} from "./signed-endpoint.ts";
import { type UnreadAnswers, createUnreadAnswers } from "./bodies.ts";

export interface HttpService {
  /** `http://127.0.0.1:8080`. */
  readonly url: string;
  readonly port: number;
  /** Connections open now, those above a limit included. */
  connections(): number;
  load(): ShownLoad;
  /**
   * Takes no new connection and answers everything that has arrived on open ones. Resolves when all is answered, or
   * after `graceMs` (default 10,000) when the rest is cut off.
   */
  close(graceMs?: number): Promise<Drained>;
}

/**
 * Serves one pipeline on one port: its endpoint and pages behind limits of connections and of requests per connection.
 * Rejects if the port cannot be had.
 */
export async function serveHttp(options: HttpOptions): Promise<HttpService> {
  const { host, pipeline, metrics, work = createWorkLimiter(), newRequestId = randomUUID } = options;
  const overload = createOverload(options);
  const unread = createUnreadAnswers(options.limits?.answerBytesMax, () =>
    metrics.connectionRefused(pipeline.name, "answers-not-read"),
  );
  const guarded = guardedServer({
    ...omitUndefined({ limits: options.limits }),
    bodyBytesMax,
    isHalfOpen: true,
    names: options.names ?? [anyName],
    events: {
      opened: (_connection, open) => metrics.connections(pipeline.name, open),
      closed: (_connection, open) => metrics.connections(pipeline.name, open),
      refused: (reason) => metrics.connectionRefused(pipeline.name, reason),
    },
    isUrgent: isHealth,
    app: (tracker) => createApp({ ...options, work }, tracker, overload, unread),
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
  });
  const load = (): ShownLoad => ({ ...work.load(), parsed: guarded.outstanding() });
  metrics.showLoad(pipeline.name, load);
  const port = await guarded.listen(host, options.port);
  const hostInUrl = host.includes(":") ? `[${host}]` : host;
  return {
    url: `http://${hostInUrl}:${port}`,
    port,
    connections: guarded.connections,
    load,
    close: (graceMs = 10_000) => guarded.close(graceMs),
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
export function createApp(
  options: HttpOptions,
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

/** Answers a fault of the transport (D-02). */
function refuseOn(options: HttpOptions, tracker: PortState, log: RequestLog): Refuse {
  const { pipeline, metrics, newRequestId = randomUUID } = options;
  return (request, response, fault, status, reason) => {
    const refused = pipeline.refuse(fault, status, reason, withHeaders(request));
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

interface EndpointParts {
  readonly tracker: PortState;
  readonly overload: Overload;
  readonly unread: UnreadAnswers;
  /** The log of the port's own interface. */
  readonly log: RequestLog;
}

/** The endpoint of each interface of the port, by all its paths. */
function endpointsOf(
  options: HttpOptions,
  { tracker, overload, unread, log }: EndpointParts,
): ReadonlyMap<string, Endpoint> {
  const { pipeline, others = [], metrics, logger, work, newRequestId = randomUUID } = options;
  const shared = omitUndefined({
    logger,
    metrics,
    overload,
    newRequestId,
    connections: tracker,
    work,
    unread,
  });
  return new Map(
    [pipeline, ...others].flatMap((each) => {
      const endpoint = createEndpoint(each, each === pipeline ? { ...shared, log } : shared);
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
export interface TextPage {
  readonly status: number;
  readonly text: string;
  readonly type: string;
}

const plainText = "text/plain; charset=utf-8";

/** The pages of a port that machines read, by their paths. Made anew for each request; what rejects is a fault of ours. */
export function healthAndMetrics(
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
