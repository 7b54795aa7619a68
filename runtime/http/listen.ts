import { randomUUID } from "node:crypto";
import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import { bodyBytesMax } from "../pipeline/index.ts";
import { createApp } from "./app.ts";
import { createConnectionGuard, type ConnectionGuard } from "./connections/connection-guard.ts";
import { forgetExchange, type Connection } from "./connections/connection.ts";
import { backlog, drain, type Drained } from "./connections/drain.ts";
import type { ShownLoad } from "./load-gauges.ts";
import type { HttpLimits, HttpOptions } from "./options.ts";
import type { OverloadReason } from "./metrics.ts";
import { createOverload, type Overload } from "./overload.ts";
import { createRequestGate, type RequestGate } from "./connections/request-gate.ts";
import { headersMax, refusedHead } from "./request-head.ts";
import { requestIdFrom } from "./request-id.ts";
import { pathOf } from "./request-path.ts";
import { createRequestTracker, type RequestTracker } from "./connections/request-tracker.ts";
import { createConnectionBurst } from "./connections/connection-burst.ts";
import { refuseConnect, refuseInvalid, refuseUnread } from "./connections/refuse-invalid.ts";
import { sendResponse } from "./send-response.ts";
import { createWorkLimiter } from "./work-limiter.ts";

// Not imported: an import asks for all that it offers, and Node then loads its whole `fetch` for `http.WebSocket`.
const { createServer } = process.getBuiltinModule("node:http");

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

/** All headers and the request line together, in bytes. */
const headerBytesMax = 16 * 1024;

/**
 * Serves one pipeline on one port: its endpoint and pages behind limits of connections and of requests per connection.
 * Rejects if the port cannot be had.
 */
export async function serveHttp(options: HttpOptions): Promise<HttpService> {
  const {
    host,
    pipeline,
    metrics,
    limits = {},
    work = createWorkLimiter(),
    burst = createConnectionBurst(),
  } = options;
  const perConnectionMax = limits.requestsPerConnectionMax ?? 2;
  const { connectionsMax = 4_096, requestsParsedMax: outstandingMax = 4 * connectionsMax } = limits;
  const gate = createRequestGate({
    perConnectionMax,
    outstandingMax,
    isBusy: work.isBusy,
    isBurst: burst.isOn,
    perTurn: burst.perTurn,
  });
  const tracker = createRequestTracker(gate);
  const server = createServer(serverOptions(limits));
  server.maxHeadersCount = headersMax + 1;
  // A caller that has sent all it wants may close its side before it has read the answers.
  Object.assign(server, { httpAllowHalfOpen: true });
  const overload = createOverload(options);
  const guard = guardOf(options, gate, overload);
  server.on("connection", (socket) => {
    burst.accepted();
    const connection = guard.accept(socket);
    if (connection === undefined) return;
    tracker.add(connection);
    gate.add(connection);
  });
  server.on("request", createRequestListener({ ...options, work }, tracker, overload));
  server.on("clientError", (error, socket) => refuseInvalid(error, socket, tracker.connectionOf(socket)));
  server.on("connect", (_request, socket) => refuseConnect(socket, tracker.connectionOf(socket)));
  server.on("checkContinue", (request, response) => {
    const declaredBytes = Number(request.headers["content-length"] ?? 0);
    if (declaredBytes <= bodyBytesMax && refusedHead(request) === undefined) response.writeContinue();
    server.emit("request", request, response);
  });
  // Node would answer by itself, past the gate, and read on.
  server.on("checkExpectation", (request, response) => server.emit("request", request, response));
  const load = (): ShownLoad => ({ ...work.load(), parsed: gate.outstanding });
  metrics.showLoad(pipeline.name, load);
  const port = await listen(server, host, options.port);
  const hostInUrl = host.includes(":") ? `[${host}]` : host;
  return {
    url: `http://${hostInUrl}:${port}`,
    port,
    connections: () => guard.open,
    load,
    async close(graceMs = 10_000) {
      tracker.close();
      const drained = await drain(server, guard.connections, gate, burst, graceMs);
      guard.close();
      return drained;
    },
  };
}

function serverOptions(limits: HttpLimits) {
  return {
    headersTimeout: limits.headersTimeoutMs ?? 10_000,
    requestTimeout: limits.requestTimeoutMs ?? 30_000,
    keepAliveTimeout: limits.keepAliveTimeoutMs ?? 65_000,
    connectionsCheckingInterval: limits.sweepEveryMs ?? 1_000,
    maxHeaderSize: headerBytesMax,
    noDelay: true,
  };
}

function guardOf(
  { pipeline, metrics, limits = {} }: HttpOptions,
  gate: RequestGate,
  overload: Overload,
): ConnectionGuard {
  return createConnectionGuard(limits, {
    opened: (_connection, count) => metrics.connections(pipeline.name, count),
    closed(connection, count) {
      gate.drop(connection);
      metrics.connections(pipeline.name, count);
    },
    refused: (reason) => metrics.connectionRefused(pipeline.name, reason),
    gaveWay: (connection) => refuseUnread(connection, () => overload.refuse("connections")),
  });
}

/** Passes each request to the gate of its connection, and from there to the application. */
function createRequestListener(
  options: HttpOptions,
  tracker: RequestTracker,
  overload: Overload,
): RequestListener {
  const { pipeline, newRequestId = randomUUID } = options;
  const { gate } = tracker;
  const app = createApp(options, tracker, overload);

  /** Refuses a request that there is no room for, and ends its connection with that. */
  function refuseLast(request: IncomingMessage, response: ServerResponse, reason: OverloadReason): void {
    const requestId = requestIdFrom(request, newRequestId);
    request.resume();
    sendResponse(response, overload.refuse(reason), {
      requestId,
      revision: pipeline.revision,
      closing: true,
    });
  }

  function beginOnReserve(request: IncomingMessage, response: ServerResponse, connection: Connection): void {
    connection.finished = true;
    if (!isHealth(request)) {
      tracker.doneOnClose(request, response);
      return refuseLast(request, response, "connections");
    }
    response.setHeader("Connection", "close");
    app(request, response);
  }

  return (request, response) => {
    const connection = tracker.connectionOf(request.socket);
    if (connection === undefined) return;
    const begin = (): void => {
      const refused = refusedHead(request);
      if (refused !== undefined) {
        connection.finished = true;
        tracker.doneOnClose(request, response);
        response.writeHead(refused, { Connection: "close", "Content-Length": 0 }).end();
      } else if (connection.kind === "reserve") beginOnReserve(request, response, connection);
      else app(request, response);
    };
    // What is refused does not wait behind what is not.
    const isUrgent = connection.kind === "reserve" || isHealth(request);
    const taken = gate.take(connection, begin, isUrgent);
    if (taken === "ignored") return;
    connection.beforeLast = connection.last;
    connection.last = { request, response };
    if (connection.pipelined) response.once("close", () => forgetExchange(connection, response));
    if (taken === "overflow") refuseLast(request, response, "pipelined");
    else if (request.headers.upgrade !== undefined) {
      // Node drops what came in one piece with it, and would take what comes then for the beginning of a request.
      connection.finished = true;
      if (!response.headersSent) response.setHeader("Connection", "close");
    }
  };
}

function isHealth({ url }: IncomingMessage): boolean {
  const path = pathOf(url);
  return path === "/healthz" || path === "/readyz";
}

function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port, backlog }, () => {
      server.off("error", reject);
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : port);
    });
  });
}
