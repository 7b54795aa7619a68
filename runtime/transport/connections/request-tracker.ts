import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { Connection } from "./connection.ts";
import type { RequestGate } from "./request-gate.ts";

/** Connects the endpoint with a server that counts the requests of each connection. */
export interface CallConnections {
  /** Whether the connection has had several requests outstanding: its calls queue behind those of others. */
  isPipelined(request: IncomingMessage): boolean;
  /** Whether the response to this request is the last of its connection. */
  isLast(request: IncomingMessage): false | Promise<boolean>;
  /** Follows once for each request. */
  done(request: IncomingMessage): void;
}

/** The requests in flight on one port, by their connections. */
export interface RequestTracker extends CallConnections {
  /** Whether the port is closing. */
  readonly closing: boolean;
  readonly gate: RequestGate;
  /** From now on the responses of quiet connections are their last. */
  close(): void;
  /** Adds an accepted connection. */
  add(connection: Connection): void;
  connectionOf(socket: Duplex): Connection | undefined;
  /** Counts a request that the endpoint does not answer as done when its response is closed. */
  doneOnClose(request: IncomingMessage, response: ServerResponse): void;
}

export function createRequestTracker(gate: RequestGate): RequestTracker {
  const open = new WeakMap<Duplex, Connection>();
  let closing = false;

  function done({ socket }: IncomingMessage): void {
    const connection = open.get(socket);
    if (connection !== undefined) gate.done(connection);
  }

  return {
    get closing() {
      return closing;
    },
    gate,
    close() {
      closing = true;
    },
    add(connection) {
      open.set(connection.socket, connection);
    },
    connectionOf: (socket) => open.get(socket),
    isPipelined: ({ socket }) => open.get(socket)?.pipelined === true,
    isLast({ socket }) {
      const connection = open.get(socket);
      return closing && connection !== undefined ? isLastResponse(connection) : false;
    },
    done,
    doneOnClose(request, response) {
      response.once("close", () => done(request));
    },
  };
}

/** Turns of the event loop in which whatever a socket holds has been read. */
const turnsToRead = 2;

/**
 * Whether the caller has sent nothing since. Connections that pipeline are ended when they are quiet, because more of
 * their requests may be on its way.
 */
async function isLastResponse({ socket, pipelined, outstanding }: Connection): Promise<boolean> {
  if (pipelined || outstanding > 1) return false;
  const { bytesRead } = socket;
  for (let turn = 0; turn < turnsToRead; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  return socket.bytesRead === bytesRead;
}
