import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { anyName, createUnreadAnswers, guardedServer, type Drained } from "../connections/index.ts";
import { omitUndefined } from "../../contract/index.ts";
import { bodyBytesMax } from "../../service/signed/index.ts";
import { createApp } from "./app.ts";
import { jsonType, requestIdFrom, pathOf, sendResponse } from "./send-response.ts";
import { type ShownLoad } from "./load-gauges.ts";
import { createOverload } from "./overload.ts";
import type { HttpOptions } from "./options.ts";
import { createWorkLimiter } from "./work-limiter.ts";

export interface HttpService {
  /** `http://127.0.0.1:8080`. */
  readonly url: string;
  readonly port: number;
  /** Connections open now, those above a limit included. */
  connections(): number;
  load(): ShownLoad;
  /**
   * Takes no new connection, answers what has arrived on open ones, parsed or not, and resolves when all is answered,
   * or after `graceMs` (default 10,000) when the rest is cut off.
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
