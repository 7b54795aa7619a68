import { randomUUID } from "node:crypto";
import { once } from "node:events";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Express } from "express";
import { omitUndefined } from "../../contract/index.ts";
import { UnavailableError } from "../../store/ports/index.ts";
import type { HttpOptions } from "./options.ts";
import type { Overload } from "./overload.ts";
import { createPages, type Refuse, type RefusePage } from "./pages/pages.ts";
import { requestIdFrom, withHeaders, pathOf, unreadableTarget, sendResponse } from "./send-response.ts";
import { createRequestLog, type RequestLog } from "./request-log.ts";
import type { RequestTracker, UnreadAnswers } from "../connections/index.ts";
import { createEndpoint, type Endpoint } from "./rpc.ts";
import { healthAndMetrics, type TextPage } from "./pages/health-and-metrics.ts";

/**
 * Everything that one port answers: the endpoints, and beside them health, metrics, added pages, and real statuses for
 * the rest. Only the added pages and the rest are an Express application, which is made with the first of these requests.
 */
export function createApp(
  options: HttpOptions,
  tracker: RequestTracker,
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
    tracker.doneOnClose(request, response);
    try {
      // A caller that asks again and again on one connection would keep a closing port open.
      if (await tracker.isLast(request)) response.setHeader("Connection", "close");
      if (text === undefined) {
        if (response.socket === null) await isFirstInLine(response);
        pages ??= createPages(options, refuse, refusePage);
        pages(request, response);
      } else if (request.method === "GET" || request.method === "HEAD") {
        sendText(response, await text());
      } else {
        response.setHeader("Allow", "GET, HEAD");
        refuse(request, response, "badInput", 405, "http-method");
      }
    } catch (error) {
      refusePage(error, request, response);
    }
  }

  return function answer(request, response) {
    const unreadable = unreadableTarget(request.url);
    if (unreadable !== undefined) {
      tracker.doneOnClose(request, response);
      return refuse(request, response, "badInput", unreadable === "url" ? 400 : 404, unreadable);
    }
    const path = pathOf(request.url);
    const endpoint = endpoints.get(path);
    if (endpoint !== undefined) return endpoint(request, response, request.url ?? path);
    void answerPage(request, response, texts.get(path));
  };
}

/**
 * Follows when the responses before it are sent. Until then it has no socket, and never hears that the connection was
 * closed: a file that was opened for it would stay open for good.
 */
function isFirstInLine(response: ServerResponse): Promise<unknown> {
  return once(response, "socket");
}

/** Answers a fault of the transport (D-02). */
function refuseOn(options: HttpOptions, tracker: RequestTracker, log: RequestLog): Refuse {
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
    else if (isMalformedUrl(error)) refuse(request, response, "badInput", 400, "url");
    else if (error instanceof UnavailableError) refuse(request, response, "unavailable", 503, "store");
    else {
      log.failed("page", { err: error }, "a page failed unexpectedly");
      refuse(request, response, "internal", 500, "page");
    }
  };
}

interface EndpointParts {
  readonly tracker: RequestTracker;
  readonly overload: Overload;
  readonly unread: UnreadAnswers;
  /** Of the port's own interface. */
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
