import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { WebSocketServer, type WebSocket } from "ws";
import { evidenceOf } from "../http/endpoint.ts";
import { createBodyRoom, createUnreadRoom } from "../http/bodies.ts";
import { isMisdirected } from "../http/refusals.ts";
import { releaseConnection } from "../http/server.ts";
import type { AnyNotifications, NotificationParams } from "../../contract/index.ts";
import { checkTransport, type RpcService } from "../../service/index.ts";
import { runConnection, type Connection, createTurns, disconnect, watchUnfinished } from "./connection.ts";
import { checkCredentials, checkOrigin, rejectHandshake, type HandshakeError } from "./handshake.ts";
import { checkOptions, closeCodes, type WebSocketOptions } from "./options.ts";

/** A service over WebSocket. */
export interface WebSocketEndpoint<Notifications extends object = AnyNotifications> {
  /** Takes the handshakes of a server for the path of the interface; those for other paths are left alone. */
  attach(server: Server): void;
  /** Takes one handshake: for servers that tell paths apart by themselves. */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /**
   * Sends a notification to every client that reads. Gives their number.
   * @throws Error where the interface does not declare it, or the params do not fit.
   */
  broadcast<Name extends keyof Notifications & string>(
    method: Name,
    ...params: NotificationParams<Notifications[Name]>
  ): number;
  readonly connections: number;
  /** Lets calls at work end, then closes every connection with the code 1001. */
  close(): Promise<void>;
}

/**
 * A service over WebSocket: `rpcWebSocket(service).attach(server)`. A message is one text frame; credentials are those
 * of the handshake, and are looked at again with each ping.
 */
export function rpcWebSocket<Notifications extends object>(
  service: RpcService<Notifications>,
  chosen?: WebSocketOptions,
): WebSocketEndpoint<Notifications>;
// oxlint-disable-next-line max-lines-per-function -- every part shares the set of open connections
export function rpcWebSocket(service: RpcService, chosen: WebSocketOptions = {}): WebSocketEndpoint {
  checkTransport(service.protocol, "websocket");
  const options = checkOptions(service.descriptor.path, chosen);
  const connections = new Map<WebSocket, Connection>();
  const room = createBodyRoom(options.unfinishedBytes);
  const unread = createUnreadRoom<WebSocket>(options.unreadTotalBytes, (socket) =>
    disconnect(socket, closeCodes.tryAgainLater, "no room for what is left unread"),
  );
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: service.protocol.messageBytesMax,
    perMessageDeflate: false,
  });
  const turns = createTurns();
  let isClosing = false;
  let isChecking = false;
  const pinging = setInterval(() => {
    for (const connection of connections.values()) connection.ping();
    if (!isChecking) void checkAll();
  }, options.pingMs).unref();

  /** One after the other: to verify ten thousand tokens in one go would hold up every call. */
  async function checkAll(): Promise<void> {
    isChecking = true;
    for (const connection of connections.values()) {
      await connection.checkCredentials().catch((error: unknown) => service.report(error));
      await setImmediate();
    }
    isChecking = false;
  }

  async function errorOf(request: IncomingMessage, admitted: () => ReturnType<typeof checkCredentials>) {
    if (isClosing || connections.size >= options.connections)
      return { status: 503, reason: "overloaded" } satisfies HandshakeError;
    return checkOrigin(request, options) ?? (await admitted());
  }

  async function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const own: { connection?: Connection } = {};
    const session = service.open({
      transport: "websocket",
      evidence: evidenceOf(request, Buffer.alloc(0)),
      notify: (method, params) => own.connection?.notify(service.notification(method, params)) ?? false,
    });
    const error = await errorOf(request, () => checkCredentials(session));
    if (socket.destroyed) return;
    if (error !== undefined) {
      rejectHandshake(socket, error);
      return;
    }
    server.handleUpgrade(request, socket, withRest(head, socket), (webSocket) => {
      const unfinished = watchUnfinished(webSocket, socket, room);
      own.connection = runConnection(webSocket, unfinished, { unread, turns }, session, service, options);
      connections.set(webSocket, own.connection);
      webSocket.on("close", () => connections.delete(webSocket));
      if (isClosing) own.connection.finish();
    });
  }

  function handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    releaseConnection(socket);
    // Until the handshake is done no other listener sees a lost connection.
    socket.on("error", () => undefined);
    upgrade(request, socket, head).catch((error: unknown) => {
      service.report(error);
      socket.destroy();
    });
  }

  return {
    handleUpgrade,
    attach(httpServer) {
      httpServer.on("upgrade", (request, socket, head) => {
        if (isMisdirected(httpServer, request)) rejectHandshake(socket, { status: 421, reason: "host-name" });
        else if (pathOf(request) === options.path) handleUpgrade(request, socket, head);
        else if (httpServer.listenerCount("upgrade") === 1)
          rejectHandshake(socket, { status: 404, reason: "path" });
      });
    },
    broadcast(method, params) {
      const text = service.notification(method, params);
      return [...connections.values()].filter((connection) => connection.notify(text)).length;
    },
    get connections() {
      return connections.size;
    },
    async close() {
      isClosing = true;
      clearInterval(pinging);
      const closed = [...connections.keys()].map(
        (webSocket) => new Promise((resolve) => webSocket.once("close", resolve)),
      );
      for (const connection of connections.values()) connection.finish();
      const timer = setTimeout(() => {
        for (const webSocket of connections.keys()) webSocket.terminate();
      }, options.closeMs);
      await Promise.all(closed);
      clearTimeout(timer);
    },
  };
}

/** What came with the handshake, in several slices. */
function withRest(head: Buffer, socket: Duplex): Buffer {
  const rest: unknown = socket.read();
  return rest instanceof Buffer ? Buffer.concat([head, rest]) : head;
}

function pathOf({ url = "" }: IncomingMessage): string {
  return url.split("?", 1).join("");
}
