import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import { Server as NetServer } from "node:net";
import type { Duplex } from "node:stream";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import {
  type Connection,
  type ConnectionGuard,
  type ConnectionLimits,
  type Exchange,
  type GuardEvents,
  createConnectionGuard,
  hangUp,
} from "./connections.ts";
import { isLoopback } from "../../contract/address.ts";
import { omitUndefined } from "../../contract/index.ts";
import { type CallConnections, type RequestGate, createRequestGate, isLastResponse } from "./gate.ts";
import {
  anyName,
  createHostCheck,
  isMisdirected,
  misdirected,
  setHostCheck,
  type ErrorResponse,
  headersMax,
  refuseConnect,
  refuseInvalid,
  refuseUnread,
  refusedHead,
} from "./refusals.ts";

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

/** What a port does beside calling its application. */
export interface PortHooks {
  /** Largest body that a caller who asks first may send. Default: any. */
  readonly bodyBytesMax?: number;
  /**
   * Whether a caller that has sent all it wants may close its side before it has read the answers. Default: that is taken
   * for leaving, as the network does not tell the two apart.
   */
  readonly isHalfOpen?: boolean;
  readonly events?: Partial<Omit<GuardEvents, "gaveWay">>;
  /** Whether a request is answered above the limits of connections: a health check. Default: none. */
  isUrgent?(request: IncomingMessage): boolean;
  /** Refuses a request that there is no room for, and ends its connection with that. Default: 503. */
  refuse?(request: IncomingMessage, response: ServerResponse, reason: "connections" | "pipelined"): void;
  /** The same for a connection that nothing was read of yet. */
  errorResponse?(): ErrorResponse;
}

const unavailable = { status: 503, headers: { "Retry-After": "1" }, body: "" } as const;

function refuseUnavailable(request: IncomingMessage, response: ServerResponse): void {
  request.resume();
  response.writeHead(503, { ...unavailable.headers, "Content-Length": 0, Connection: "close" }).end();
}

export interface ServeOptions extends ServerLimits {
  /** 0 takes a free one. */
  readonly port: number;
  /** Default: `127.0.0.1`. */
  readonly host?: string;
  /**
   * Names that requests may be for, such as `api.example`, beside `localhost` and the address that the server listens on; others are
   * answered 421. `*`: any. Default: none where it listens on a loopback address, else any.
   */
  readonly names?: readonly string[];
}

/** An app that answers. */
export interface ServedApp {
  /** `http://127.0.0.1:3000`. */
  readonly url: string;
  /** For `rpcWebSocket(service).attach(server)`. */
  readonly server: Server;
  /** Connections open now, those above a limit included, those of WebSockets not. */
  connections(): number;
  /**
   * Takes no new connection, answers everything that has arrived, and waits for WebSockets to close. It cuts off the
   * rest after `graceMs`, by default 10,000.
   */
  close(graceMs?: number): Promise<Drained>;
}

/**
 * Serves an app on a port of its own, such that no caller keeps others out: `await serve(app, { port: 3000 })`. Requests
 * of one connection are begun two at a time, and those who hold a place without a use for it give way.
 *
 * Rejects if the port cannot be had.
 */
export function serve(app: RequestListener, options: ServeOptions): Promise<ServedApp> {
  return openPort((port) => closingBy(port, app), options);
}

/** Ends each connection with its last answer once the port is closing: a caller that goes on asking would keep it open. */
function closingBy(port: PortState, app: RequestListener): RequestListener {
  const answerClosing = async (...[request, response]: Parameters<RequestListener>): Promise<void> => {
    if (await port.isLast(request)) response.setHeader("Connection", "close");
    app(request, response);
  };
  return (request, response) => {
    if (port.closing) void answerClosing(request, response);
    else app(request, response);
  };
}

/** Pages of other names reach loopback addresses by DNS rebinding; others they reach without it. */
function defaultNames(host: string): readonly string[] {
  return host === "localhost" || isLoopback(host) ? [] : [anyName];
}

/** What an application learns of its port. */
export interface PortState extends CallConnections {
  /** Whether the port is closing: from now on the responses of quiet connections are their last. */
  readonly closing: boolean;
}

/** A port that callers cannot keep from others: each connection has its share, and places are limited. */
export interface OpenPort extends ServedApp {
  readonly port: number;
  /** Requests parsed and unanswered. */
  outstanding(): number;
}

/** How to release each connection. */
const releases = new WeakMap<Duplex, () => void>();

/** A connection speaks another protocol from now on: what guards requests does not apply to it. */
export function releaseConnection(socket: Duplex): void {
  releases.get(socket)?.();
}

/** All headers and the request line together, in bytes. */
const headerBytesMax = 16 * 1024;
/** Bytes that a connection holds unparsed, or as answers behind others, before it is read no further. */
const bufferedBytesMax = 16 * 1024;

/** Opens a port for an app. Rejects if the port cannot be had. */
export async function openPort(
  appOf: (port: PortState) => RequestListener,
  { port: wanted, host = "127.0.0.1", names = defaultNames(host), ...chosen }: ServeOptions,
  hooks: PortHooks = {},
): Promise<OpenPort> {
  const { events = {}, bodyBytesMax = Infinity, errorResponse = () => unavailable } = hooks;
  const limits = { connectionsMax: 4_096, ...omitUndefined(chosen) };
  const { requestsPerConnectionMax: perConnectionMax = 2 } = limits;
  const { requestsParsedMax: outstandingMax = 16_384 } = limits;
  const gate = createRequestGate({ perConnectionMax, outstandingMax });
  const open = new WeakMap<Duplex, Connection>();
  let closing = false;
  const guard = createConnectionGuard(limits, {
    opened: (connection, open) => events.opened?.(connection, open),
    closed(connection, open) {
      gate.drop(connection);
      events.closed?.(connection, open);
    },
    refused: (reason) => events.refused?.(reason),
    gaveWay: (connection) => refuseUnread(connection, errorResponse),
  });
  const server = createServer(serverOptions(limits));
  server.maxHeadersCount = headersMax + 1;
  Object.assign(server, { httpAllowHalfOpen: hooks.isHalfOpen ?? false });
  server.on("connection", (socket) => {
    const connection = guard.accept(socket);
    if (connection === undefined) return;
    open.set(socket, connection);
    gate.add(connection);
    releases.set(socket, () => {
      guard.release(connection);
      connection.valve.remove();
    });
  });
  const take = takeBy(hooks, gate, server, appOf(portState(open, () => closing)));
  server.on("request", (request, response) => {
    const connection = open.get(request.socket);
    if (connection !== undefined) take(connection, { request, response });
  });
  answerOddRequests(server, (socket) => open.get(socket), bodyBytesMax);
  const port = await listen(server, host, wanted, names);
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${port}`,
    port,
    server,
    connections: () => guard.open,
    outstanding: () => gate.outstanding,
    async close(graceMs = 10_000) {
      closing = true;
      const drained = await drain(server, guard, gate, graceMs);
      guard.close();
      return drained;
    },
  };
}

/** Requests that are not whole, ask for a tunnel, or ask before they send their body. */
function answerOddRequests(
  server: Server,
  connectionOf: (socket: Duplex) => Connection | undefined,
  bodyBytesMax: number,
): void {
  server.on("clientError", (error, socket) => refuseInvalid(error, socket, connectionOf(socket)));
  server.on("connect", (_request, socket) => refuseConnect(socket, connectionOf(socket)));
  server.on("checkContinue", (request, response) => {
    const declaredBytes = Number(request.headers["content-length"] ?? 0);
    if (declaredBytes <= bodyBytesMax && isTaken(request, server)) response.writeContinue();
    server.emit("request", request, response);
  });
  // Node would answer by itself, past the gate, and read on.
  server.on("checkExpectation", (request, response) => server.emit("request", request, response));
}

function portState(open: WeakMap<Duplex, Connection>, isClosing: () => boolean): PortState {
  return {
    get closing() {
      return isClosing();
    },
    isPipelined: ({ socket }) => open.get(socket)?.pipelined === true,
    isLast({ socket }) {
      const connection = open.get(socket);
      return isClosing() && connection !== undefined ? isLastResponse(connection) : false;
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
    highWaterMark: bufferedBytesMax,
    noDelay: true,
  };
}

/** Passes a request to the gate, and from there to the application. */
function takeBy(
  { events, isUrgent = () => false, refuse = refuseUnavailable }: PortHooks,
  gate: RequestGate,
  server: Server,
  app: RequestListener,
): (connection: Connection, exchange: Exchange) => void {
  function answer(connection: Connection, { request, response }: Exchange): void {
    const refused = refusedHead(request);
    const isWrongName = refused === undefined && isMisdirected(server, request);
    connection.finished ||= refused !== undefined || isWrongName || connection.kind === "reserve";
    if (refused !== undefined)
      response.writeHead(refused, { Connection: "close", "Content-Length": 0 }).end();
    else if (isWrongName) {
      events?.refused?.("host-name");
      refuseMisdirected(response);
    } else if (connection.kind === "reserve" && !isUrgent(request)) refuse(request, response, "connections");
    else {
      if (connection.kind === "reserve") response.setHeader("Connection", "close");
      app(request, response);
    }
  }

  return (connection, exchange) => {
    const { request, response } = exchange;
    const taken = gate.take(connection, () => answer(connection, exchange));
    if (taken === "ignored") return;
    connection.beforeLast = connection.last;
    connection.last = exchange;
    response.once("close", () => {
      forgetExchange(connection, response);
      if (taken === "taken") gate.done(connection);
    });
    if (taken === "overflow") refuse(request, response, "pipelined");
    else if (request.headers.upgrade !== undefined) {
      // Node drops what came in one piece with it, and would take what comes then for the beginning of a request.
      connection.finished = true;
      if (!response.headersSent) response.setHeader("Connection", "close");
    }
  };
}

/** Forgets an exchange whose response was sent. Kept until the next request, those of a thousand connections grow old. */
function forgetExchange(connection: Connection, response: ServerResponse): void {
  if (connection.last?.response === response) connection.last = undefined;
  if (connection.beforeLast?.response === response) connection.beforeLast = undefined;
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

/** The outcomes of the requests that a closing port had. */
export interface Drained {
  /** Requests answered since the close began. */
  readonly answered: number;
  /** Requests that had arrived and were cut off unanswered at the end of the grace. */
  readonly cut: number;
}

const lookEveryMs = 20;
/** A connection that brought nothing for that many looks, and whose requests are all answered, has no more. */
const quietLooks = 5;

/** Connections that may wait to be accepted: `listen` asks the system for that many places. */
export const backlog = 1024;

/** Turns of the event loop after which a connection that waited would have been accepted: Node accepts one a turn. */
const turnsToAccept = 2;

/** The system resets connections that still wait when the port is closed. */
async function acceptWaiting(server: Server): Promise<void> {
  let idleTurns = 0;
  const accepted = (): void => void (idleTurns = 0);
  server.on("connection", accepted);
  for (let turn = 0; turn < backlog && idleTurns <= turnsToAccept; turn += 1) {
    idleTurns += 1;
    await nextTurn();
  }
  server.off("connection", accepted);
}

/**
 * Closes a port. It accepts waiting connections, then takes no new one, and answers the open ones until they are
 * quiet. It waits for other protocols, and after `graceMs` destroys the rest.
 */
export async function drain(
  server: Server,
  { connections, released }: Pick<ConnectionGuard, "connections" | "released">,
  gate: RequestGate,
  graceMs: number,
): Promise<Drained> {
  const answeredBefore = gate.answered;
  const endsAtMs = performance.now() + graceMs;
  // The requests of connections that wait to be accepted have arrived, too.
  if (graceMs > 0) await acceptWaiting(server);
  const closed = new Promise<void>((resolve) => {
    // Not `server.close()` of node:http: that destroys connections whose requests it has not read yet.
    NetServer.prototype.close.call(server, () => resolve());
  });
  const looks = new Map<Connection, { bytesRead: number; quiet: number }>();
  while (connections.size + released.size > 0 && performance.now() < endsAtMs) {
    for (const connection of connections) {
      if (connection.finished || !isQuiet(connection, looks)) continue;
      connection.finished = true;
      hangUp(connection.socket);
    }
    await sleep(lookEveryMs);
  }
  const cut = gate.outstanding;
  server.closeAllConnections();
  for (const { socket } of connections) socket.destroy();
  for (const socket of released) socket.destroy();
  await closed;
  server.close();
  return { answered: gate.answered - answeredBefore, cut };
}

function isQuiet(
  connection: Connection,
  looks: Map<Connection, { bytesRead: number; quiet: number }>,
): boolean {
  const { socket, outstanding, paused } = connection;
  const look = looks.get(connection) ?? { bytesRead: -1, quiet: 0 };
  const isStill =
    outstanding === 0 && !paused && socket.bytesRead === look.bytesRead && socket.writableLength === 0;
  look.quiet = isStill ? look.quiet + 1 : 0;
  look.bytesRead = socket.bytesRead;
  looks.set(connection, look);
  return look.quiet >= quietLooks;
}
