import { randomUUID } from "node:crypto";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import express, { type NextFunction, type Request, type Response } from "express";
import type { Fault } from "../contract/index.ts";
import { UnavailableError } from "../ports/index.ts";
import type { HttpOptions } from "./options.ts";
import { requestIdOf } from "./request-id.ts";
import { sendAnswer } from "./send-response.ts";
import type { RequestTracker } from "./request-tracker.ts";

/** The Express application of one port: all but the calls. Health, metrics, added pages, real statuses for the rest. */
export function createApp(options: HttpOptions, tracker: RequestTracker): RequestListener {
  const { pipeline, metrics, logger, newRequestId = randomUUID, showMetrics = true } = options;
  const app = express();
  app.disable("x-powered-by").disable("etag").enable("strict routing").enable("case sensitive routing");

  /** Answers a fault of the transport (D-02). */
  function refuse(
    request: IncomingMessage,
    response: ServerResponse,
    fault: Fault,
    status: number,
    reason: string,
  ): void {
    const answer = pipeline.refuse(fault, status, reason);
    const sent = request.headers["x-request-id"];
    const requestId = requestIdOf(typeof sent === "string" ? sent : undefined, newRequestId);
    const frame = { requestId, revision: pipeline.revision, closing: tracker.closing };
    sendAnswer(response, answer, frame);
    metrics.answered({ interfaceName: pipeline.name, seconds: 0, ...answer.trace });
    logger.info({ requestId, ...answer.trace, status }, "refused");
  }

  function only(allow: string) {
    return (request: Request, response: Response, next: NextFunction): void => {
      if (request.method === allow) return next();
      response.setHeader("Allow", allow);
      refuse(request, response, "badInput", 405, "http-method");
    };
  }

  app.all(pipeline.path, only("POST"));
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
  return (request, response) => {
    if (isTarget(request.url)) app(request, response);
    else refuse(request, response, "badInput", 400, "url");
  };
}

/** Whether a request target is one: Express itself answers, with a page of its own, what it cannot read a path from. */
function isTarget(url = ""): boolean {
  return url.startsWith("/") || url === "*" || URL.canParse(url);
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
