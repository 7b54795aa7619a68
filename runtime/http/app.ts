import { randomUUID } from "node:crypto";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import express, { type Express, type NextFunction, type Request, type Response } from "express";
import type { Fault } from "../contract/index.ts";
import { UnavailableError } from "../ports/index.ts";
import type { HttpOptions } from "./options.ts";
import type { Overload } from "./overload.ts";
import { requestIdFrom } from "./request-id.ts";
import type { RequestTracker } from "./request-tracker.ts";
import { rpc } from "./rpc.ts";
import { sendResponse } from "./send-response.ts";

/**
 * The Express application of one port: the endpoint, and beside it health, metrics, added pages, and real statuses for
 * the rest. A router is its top, not an `express()`: that alters the prototypes of each request and response, which
 * costs a call as much again as the rest of Express; the pages have one.
 */
export function createApp(
  options: HttpOptions,
  tracker: RequestTracker,
  overload: Overload,
): RequestListener {
  const { pipeline, others = [], metrics, logger, work, newRequestId = randomUUID } = options;
  const endpointOptions = {
    logger,
    metrics,
    overload,
    newRequestId,
    connections: tracker,
    ...(work && { work }),
  };
  const router = express.Router({ strict: true, caseSensitive: true });
  for (const each of [pipeline, ...others]) {
    const endpoint = rpc(each, endpointOptions);
    for (const path of [each.path, ...(each.formerPaths ?? [])]) router.all(path, endpoint);
  }
  router.use(createPages(options, tracker, refuse));
  const route: RouteRequest = router;

  /** Answers a fault of the transport (D-02). */
  function refuse(
    request: IncomingMessage,
    response: ServerResponse,
    fault: Fault,
    status: number,
    reason: string,
  ): void {
    const refused = pipeline.refuse(fault, status, reason);
    const requestId = requestIdFrom(request, newRequestId);
    sendResponse(response, refused, { requestId, revision: pipeline.revision, closing: tracker.closing });
    metrics.answered({ interfaceName: pipeline.name, seconds: 0, ...refused.trace });
    logger.info({ requestId, ...refused.trace, status }, "refused");
  }

  return (request, response) => {
    const unreadable = unreadableTarget(request.url);
    if (unreadable === undefined) return route(request, response, () => response.destroy());
    tracker.doneOnClose(request, response);
    refuse(request, response, "badInput", unreadable === "url" ? 400 : 404, unreadable);
  };
}

/** A router as it is called by a server. Written as a method: it adds to a request what Express's type has. */
type RouteRequest = {
  route(request: IncomingMessage, response: ServerResponse, unhandled: () => void): void;
}["route"];

type Refuse = (
  request: IncomingMessage,
  response: ServerResponse,
  fault: Fault,
  status: number,
  reason: string,
) => void;

/** Everything of a port but its endpoint. */
function createPages(options: HttpOptions, tracker: RequestTracker, refuse: Refuse): Express {
  const { metrics, logger, showMetrics = true } = options;
  const app = express();
  app.disable("x-powered-by").disable("etag").enable("strict routing").enable("case sensitive routing");

  function only(allow: string) {
    return (request: Request, response: Response, next: NextFunction): void => {
      if (request.method === allow) return next();
      response.setHeader("Allow", allow);
      refuse(request, response, "badInput", 405, "http-method");
    };
  }

  app.use((request: Request, response: Response, next: NextFunction) => {
    tracker.doneOnClose(request, response);
    const isLast = tracker.isLast(request);
    if (isLast === false) next();
    else void lastPage(isLast, response, next);
  });
  app.get("/healthz", (_request, response) => sendText(response, 200, "ok\n"));
  app.get("/readyz", async (_request, response) => {
    const obstacle = tracker.closing ? "shutting down" : await obstacleOf(options);
    if (obstacle === undefined) sendText(response, 200, "ready\n");
    else sendText(response, 503, obstacle === "" ? "not ready\n" : `not ready: ${obstacle}\n`);
  });
  app.all(["/healthz", "/readyz"], only("GET, HEAD"));
  if (showMetrics) {
    app.get("/metrics", async (_request, response) => {
      sendText(response, 200, await metrics.text(), metrics.contentType);
    });
    app.all("/metrics", only("GET, HEAD"));
  }
  options.addRoutes?.(app);
  app.use((request: Request, response: Response) => refuse(request, response, "badInput", 404, "path"));
  app.use((error: unknown, request: Request, response: Response, _next: NextFunction) => {
    if (response.headersSent) response.destroy();
    else if (isMalformedUrl(error)) refuse(request, response, "badInput", 400, "url");
    else if (error instanceof UnavailableError) refuse(request, response, "unavailable", 503, "store");
    else {
      logger.error({ err: error }, "a page failed unexpectedly");
      refuse(request, response, "internal", 500, "page");
    }
  });
  return app;
}

/** A caller that asks again and again on one connection would keep a closing port open. */
async function lastPage(isLast: Promise<boolean>, response: Response, next: NextFunction): Promise<void> {
  if (await isLast) response.setHeader("Connection", "close");
  next();
}

/** The absolute form that proxies send has a host (RFC 9112 §3.2.2); Express takes a first path segment for one. */
const absoluteForm = /^[a-z][a-z0-9+.-]*:\/\/[^/\\?#]/i;

/** Why a request target has no path: Express itself would answer with a page of its own, or read another path. */
function unreadableTarget(url = ""): "url" | "path" | undefined {
  if (url.startsWith("/") || url === "*") return undefined;
  if (!URL.canParse(url)) return "url";
  return absoluteForm.test(url) ? undefined : "path";
}

/** Why the service cannot answer: `""` where that is not for everybody's eyes, and nothing where it can. */
async function obstacleOf({ ready, logger }: HttpOptions): Promise<string | undefined> {
  try {
    await ready();
    return undefined;
  } catch (error) {
    // The store itself has logged it, once.
    if (error instanceof UnavailableError) return error.message;
    logger.warn({ err: error }, "not ready");
    return "";
  }
}

/** Express refuses a path whose percent-encoding is broken. */
function isMalformedUrl(error: unknown): boolean {
  return error instanceof URIError;
}

function sendText(
  response: Response,
  status: number,
  text: string,
  type = "text/plain; charset=utf-8",
): void {
  response.writeHead(status, {
    "Content-Type": type,
    "Content-Length": Buffer.byteLength(text),
    "Cache-Control": "no-store",
  });
  response.end(text);
}
