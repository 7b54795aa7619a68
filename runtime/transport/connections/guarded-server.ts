import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { createConnectionGuard, type ConnectionLimits, type GuardEvents } from "./connection-guard.ts";
import { forgetExchange, type Connection } from "./connection.ts";
import { backlog, drain, type Drained } from "./drain.ts";
import { refuseConnect, refuseInvalid, refuseUnread, type ErrorResponse } from "./refuse-invalid.ts";
import { createHostCheck, isMisdirected, misdirected, setHostCheck } from "./host-names.ts";
import { createRequestGate } from "./request-gate.ts";
import { headersMax, refusedHead } from "./request-head.ts";
import { createRequestTracker, type RequestTracker } from "./request-tracker.ts";

// Not imported: an import asks for all that it offers, and Node then loads its whole `fetch` for `http.WebSocket`.
const { createServer } = process.getBuiltinModule("node:http");

/** Limits of one listening port. */
export interface ServerLimits extends ConnectionLimits {
  /** Time to receive a request's headers. Default 10,000. */
  readonly headersTimeoutMs?: number;
  /** Time an idle connection is kept. Default 65,000: above the usual 60 s of proxies. */
  readonly keepAliveTimeoutMs?: number;
  /** Requests of one connection worked on at once; further ones wait. Default 2. */
  readonly requestsPerConnectionMax?: number;
  /** Requests that are parsed and unanswered in all; one more that is pipelined is refused, and ends its connection. Default 16,384. */
  readonly requestsParsedMax?: number;
}

export interface GuardedServerOptions {
  readonly limits?: ServerLimits;
  /** Largest body that a caller who asks first may send. Default: any. */
  readonly bodyBytesMax?: number;
  /**
   * Whether a caller that has sent all it wants may close its side before it has read the answers. Default: that is taken
   * for leaving, as the network does not tell the two apart.
   */
  readonly isHalfOpen?: boolean;
  readonly events?: Partial<Omit<GuardEvents, "gaveWay">>;
  /** Names that requests may be for, beside those that the server listens on; `*`: any. */
  readonly names: readonly string[];
  /** Whether a request is answered above the limits of connections: a health check. Default: none. */
  readonly isUrgent?: (request: IncomingMessage) => boolean;
  /** Answers requests. `tracker.done` or `tracker.doneOnClose` has to follow for each. */
  readonly app: (tracker: RequestTracker) => RequestListener;
  /** Refuses a request that there is no room for, and ends its connection with that. */
  refuse(request: IncomingMessage, response: ServerResponse, reason: "connections" | "pipelined"): void;
  /** The same for a connection that nothing was read of yet. */
  errorResponse(): ErrorResponse;
}

/** A server that callers cannot keep from others: each connection has its share, and places are limited. */
export interface GuardedServer {
  readonly server: Server;
  /** Rejects if the port cannot be had; gives its number. */
  listen(host: string, port: number): Promise<number>;
  /** Connections open now, those above a limit included. */
  connections(): number;
  /** Requests parsed and unanswered. */
  outstanding(): number;
  /**
   * Takes no new connection, answers what has arrived on open ones, parsed or not, and resolves when all is answered,
   * or after `graceMs` when the rest is cut off.
   */
  close(graceMs: number): Promise<Drained>;
}

/** How to release each connection. */
const releases = new WeakMap<Duplex, () => void>();

/** A connection speaks another protocol from now on: what guards requests does not apply to it. */
export function releaseConnection(socket: Duplex): void {
  releases.get(socket)?.();
}

/** All headers and the request line together, in bytes. */
const headerBytesMax = 16 * 1024;

export function guardedServer(options: GuardedServerOptions): GuardedServer {
  const { events = {}, bodyBytesMax = Infinity } = options;
  const limits = { connectionsMax: 4_096, ...options.limits };
  const { requestsPerConnectionMax: perConnectionMax = 2 } = limits;
  const { requestsParsedMax: outstandingMax = 16_384 } = limits;
  const gate = createRequestGate({ perConnectionMax, outstandingMax });
  const tracker = createRequestTracker(gate);
  const guard = createConnectionGuard(limits, {
    opened: (connection, open) => events.opened?.(connection, open),
    closed(connection, open) {
      gate.drop(connection);
      events.closed?.(connection, open);
    },
    refused: (reason) => events.refused?.(reason),
    gaveWay: (connection) => refuseUnread(connection, options.errorResponse),
  });
  const server = createServer(serverOptions(limits));
  server.maxHeadersCount = headersMax + 1;
  Object.assign(server, { httpAllowHalfOpen: options.isHalfOpen ?? false });
  server.on("connection", (socket) => {
    const connection = guard.accept(socket);
    if (connection === undefined) return;
    tracker.add(connection);
    gate.add(connection);
    releases.set(socket, () => {
      guard.release(connection);
      connection.release();
    });
  });
  server.on("request", createRequestListener(options, tracker, server));
  server.on("clientError", (error, socket) => refuseInvalid(error, socket, tracker.connectionOf(socket)));
  server.on("connect", (_request, socket) => refuseConnect(socket, tracker.connectionOf(socket)));
  server.on("checkContinue", (request, response) => {
    const declaredBytes = Number(request.headers["content-length"] ?? 0);
    if (declaredBytes <= bodyBytesMax && isTaken(request, server)) response.writeContinue();
    server.emit("request", request, response);
  });
  // Node would answer by itself, past the gate, and read on.
  server.on("checkExpectation", (request, response) => server.emit("request", request, response));
  return {
    server,
    listen: (host, port) => listen(server, host, port, options.names),
    connections: () => guard.open,
    outstanding: () => gate.outstanding,
    async close(graceMs) {
      tracker.close();
      const drained = await drain(server, guard, gate, graceMs);
      guard.close();
      return drained;
    },
  };
}

function serverOptions(limits: ServerLimits) {
  return {
    headersTimeout: limits.headersTimeoutMs ?? 10_000,
    requestTimeout: limits.requestTimeoutMs ?? 30_000,
    keepAliveTimeout: limits.keepAliveTimeoutMs ?? 65_000,
    connectionsCheckingInterval: limits.sweepEveryMs ?? 1_000,
    maxHeaderSize: headerBytesMax,
    noDelay: true,
  };
}

/** Passes each request to the gate of its connection, and from there to the application. */
function createRequestListener(
  options: GuardedServerOptions,
  tracker: RequestTracker,
  server: Server,
): RequestListener {
  const { isUrgent = () => false } = options;
  const { gate } = tracker;
  const app = options.app(tracker);

  function beginOnReserve(request: IncomingMessage, response: ServerResponse, connection: Connection): void {
    connection.finished = true;
    if (!isUrgent(request)) {
      tracker.doneOnClose(request, response);
      return options.refuse(request, response, "connections");
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
      } else if (isMisdirected(server, request)) {
        connection.finished = true;
        tracker.doneOnClose(request, response);
        options.events?.refused?.("host-name");
        refuseMisdirected(response);
      } else if (connection.kind === "reserve") beginOnReserve(request, response, connection);
      else app(request, response);
    };
    const taken = gate.take(connection, begin);
    if (taken === "ignored") return;
    connection.beforeLast = connection.last;
    connection.last = { request, response };
    if (connection.pipelined) response.once("close", () => forgetExchange(connection, response));
    if (taken === "overflow") options.refuse(request, response, "pipelined");
    else if (request.headers.upgrade !== undefined) {
      // Node drops what came in one piece with it, and would take what comes then for the beginning of a request.
      connection.finished = true;
      if (!response.headersSent) response.setHeader("Connection", "close");
    }
  };
}

function refuseMisdirected(response: ServerResponse): void {
  const { status, type, text } = misdirected;
  const headers = { Connection: "close", "Content-Type": type, "Content-Length": Buffer.byteLength(text) };
  response.writeHead(status, headers).end(text);
}

function isTaken(request: IncomingMessage, server: Server): boolean {
  return refusedHead(request) === undefined && !isMisdirected(server, request);
}

function listen(server: Server, host: string, port: number, names: readonly string[]): Promise<number> {
  setHostCheck(server, createHostCheck(host, names));
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port, backlog }, () => {
      server.off("error", reject);
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : port);
    });
  });
}
