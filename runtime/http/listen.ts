import {
  createServer,
  STATUS_CODES,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import { randomUUID } from "node:crypto";
import type { Duplex } from "node:stream";
import { bodyBytesMax } from "../pipeline/index.ts";
import { createApp } from "./app.ts";
import { createConnectionGuard, type ConnectionGuard } from "./connection-guard.ts";
import { hangUp, type Connection } from "./connection.ts";
import { drain, type Drained } from "./drain.ts";
import type { ShownLoad } from "./load-gauges.ts";
import type { HttpLimits, HttpOptions } from "./options.ts";
import { createOverload, type OverloadReason } from "./overload.ts";
import { createRequestGate } from "./request-gate.ts";
import { requestIdOf } from "./request-id.ts";
import { createRpcEndpoint } from "./rpc.ts";
import { sendAnswer } from "./send-response.ts";
import { isLastAnswer, type RequestTracker } from "./request-tracker.ts";
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

/** Pairs of a name and a value; a request with more is refused, not cut short. */
const headersMax = 100;
/** All headers and the request line together, in bytes. */
const headerBytesMax = 16 * 1024;

/** Serves one pipeline on one port: calls by the endpoint, everything else by the Express application. Rejects if the port cannot be had. */
export async function serveHttp(options: HttpOptions): Promise<HttpService> {
  const { host, metrics, limits = {} } = options;
  const work = options.work ?? createWorkLimiter();
  const perConnectionMax = limits.requestsPerConnectionMax ?? 2;
  const tracker: RequestTracker = {
    closing: false,
    gate: createRequestGate({ perConnectionMax, isCrowded: work.isCrowded }),
    work,
  };
  const server = createServer(serverOptions(limits));
  server.maxHeadersCount = headersMax + 1;
  // A caller that has sent all it wants may close its side before it has read the answers.
  Object.assign(server, { httpAllowHalfOpen: true });
  const open = new WeakMap<Duplex, Connection>();
  const guard = guardOf(options, tracker);
  server.on("connection", (socket) => {
    const connection = guard.accept(socket);
    if (connection !== undefined) open.set(socket, connection);
  });
  server.on("request", createRequestListener(options, tracker, open));
  server.on("clientError", (error, socket) => refuseConnection(error, socket, open.get(socket)));
  server.on("checkContinue", (request, response) => {
    const declaredBytes = Number(request.headers["content-length"] ?? 0);
    if (declaredBytes <= bodyBytesMax) response.writeContinue();
    server.emit("request", request, response);
  });
  const load = (): ShownLoad => ({ ...tracker.work.load(), parsed: tracker.gate.outstanding });
  metrics.showLoad(options.pipeline.name, load);
  const port = await listen(server, host, options.port);
  const hostInUrl = host.includes(":") ? `[${host}]` : host;
  return {
    url: `http://${hostInUrl}:${port}`,
    port,
    connections: () => guard.open,
    load,
    async close(graceMs = 10_000) {
      tracker.closing = true;
      const drained = await drain(server, guard.connections, tracker.gate, graceMs);
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
    connectionsCheckingInterval: 1_000,
    maxHeaderSize: headerBytesMax,
    noDelay: true,
  };
}

function guardOf({ pipeline, metrics, limits = {} }: HttpOptions, { gate }: RequestTracker): ConnectionGuard {
  return createConnectionGuard(limits, {
    opened: (_connection, count) => metrics.connections(pipeline.name, count),
    closed(connection, count) {
      gate.drop(connection);
      metrics.connections(pipeline.name, count);
    },
    refused: (reason) => metrics.connectionRefused(pipeline.name, reason),
  });
}

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/** Hands each request to the gate of its connection, and from there to the endpoint or the pages. */
function createRequestListener(
  options: HttpOptions,
  tracker: RequestTracker,
  open: WeakMap<Duplex, Connection>,
): Listener {
  const { pipeline, metrics, newRequestId = randomUUID } = options;
  const { path, formerPaths } = pipeline;
  const { gate } = tracker;
  const overload = createOverload(options);
  const app = createApp(options, tracker);
  const call = createRpcEndpoint(options, tracker, overload);

  function page(request: IncomingMessage, response: ServerResponse, connection: Connection): void {
    response.once("close", () => gate.done(connection));
    if (tracker.closing) void lastPage(request, response, connection);
    else app(request, response);
  }

  /** A caller that asks again and again on one connection would keep a closing port open. */
  async function lastPage(
    request: IncomingMessage,
    response: ServerResponse,
    connection: Connection,
  ): Promise<void> {
    if (await isLastAnswer(connection)) response.setHeader("Connection", "close");
    app(request, response);
  }

  /** Refuses a request that there is no room for, and ends its connection with that. */
  function refuseLast(request: IncomingMessage, response: ServerResponse, reason: OverloadReason): void {
    const sent = request.headers["x-request-id"];
    const requestId = requestIdOf(typeof sent === "string" ? sent : undefined, newRequestId);
    request.resume();
    sendAnswer(response, overload.refuse(reason), { requestId, revision: pipeline.revision, closing: true });
  }

  return (request, response) => {
    const connection = open.get(request.socket);
    if (connection === undefined) return;
    const begin = (): void => {
      if (request.rawHeaders.length > 2 * headersMax) {
        response.once("close", () => gate.done(connection));
        refuseHeaders(response);
      } else if (connection.kind === "reserve") {
        response.once("close", () => gate.done(connection));
        connection.finished = true;
        response.setHeader("Connection", "close");
        if (isHealth(request)) app(request, response);
        else refuseLast(request, response, "connections");
      } else if (isCall(request, path) || formerPaths?.some((former) => isCall(request, former)) === true) {
        void call(request, response, connection);
      } else page(request, response, connection);
    };
    const taken = gate.take(connection, begin);
    if (taken === "flood") metrics.connectionRefused(pipeline.name, "flood");
    if (taken === "overflow") {
      response.once("close", () => gate.done(connection));
      refuseLast(request, response, "pipelined");
    }
  };
}

function refuseHeaders(response: ServerResponse): void {
  response.writeHead(431, { Connection: "close", "Content-Length": 0 }).end();
}

/**
 * Whether a request goes to the endpoint. It is told here and not by Express's router, which costs each request a
 * tenth of its signature's verification; Express has everything else.
 */
function isCall({ method, url = "" }: IncomingMessage, path: string): boolean {
  return method === "POST" && (url === path || pathOf(url) === path);
}

function isHealth({ url = "" }: IncomingMessage): boolean {
  const path = pathOf(url);
  return path === "/healthz" || path === "/readyz";
}

/** The path of a request target in origin form, or in the absolute form that proxies send (RFC 9112 §3.2). */
function pathOf(url: string): string | undefined {
  const queryAt = url.indexOf("?");
  const target = queryAt < 0 ? url : url.slice(0, queryAt);
  return target.startsWith("/") ? target : URL.parse(target)?.pathname;
}

function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port, backlog: 1024 }, () => {
      server.off("error", reject);
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : port);
    });
  });
}

const clientFaults: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** What arrived is no HTTP request, or does not arrive: say so, as far as there is somebody to hear it, and hang up. */
function refuseConnection(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  connection: Connection | undefined,
): void {
  if (connection?.held === true && error.code === "ERR_HTTP_REQUEST_TIMEOUT") {
    // The rest of the request is late because it is not being read.
    connection.overdue = true;
    return;
  }
  if (connection === undefined || error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  connection.finished = true;
  const status = clientFaults[error.code ?? ""] ?? 400;
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`;
  hangUp(connection.socket, head);
}
