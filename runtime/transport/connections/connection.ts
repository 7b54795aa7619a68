import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { createFifo, type Fifo } from "./fifo.ts";

/** The counts of the last sweep: requests and bytes until then, and how many sweeps in a row found the same. */
interface Seen {
  requests: number;
  idleSweeps: number;
  blockedSweeps: number;
  bytesWritten: number;
  overdueSweeps: number;
}

/** A request and what answers it. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** The state of an open connection. */
export interface Connection {
  readonly socket: Socket;
  /** Remote address that connections are counted by; for IPv6 its /64 network. */
  readonly address: string;
  /** `reserve`: accepted above a limit, for one health check. */
  readonly kind: "regular" | "reserve";
  /** Requests parsed and not yet answered, the parked ones included. */
  outstanding: number;
  /** Of these, requests that are worked on. */
  atWork: number;
  /** Requests that wait for others of this connection. */
  readonly parked: Fifo<() => void>;
  /** Whether a request ever arrived before the one before it was answered. */
  pipelined: boolean;
  /** Whether it is not read, because enough requests are outstanding. */
  paused: boolean;
  /** Whether nothing more is taken from it: its last answer is on its way, or it was ended. */
  finished: boolean;
  /** Whether the socket is closed: its requests count no longer. */
  dropped: boolean;
  /** Whether the guard has forgotten it. */
  forgotten: boolean;
  /** Lets another protocol resume the socket. */
  release: () => void;
  requestsTotal: number;
  /** The request parsed last, until it is answered, and the one before it. */
  last: Exchange | undefined;
  beforeLast: Exchange | undefined;
  /** The counts of the last sweeps. */
  readonly seen: Seen;
  /** Whether the time limit of a request passed while the connection was paused. */
  overdue: boolean;
}

export function createConnection(socket: Socket, address: string, kind: Connection["kind"]): Connection {
  return {
    socket,
    address,
    kind,
    outstanding: 0,
    atWork: 0,
    parked: createFifo(),
    pipelined: false,
    paused: false,
    finished: false,
    dropped: false,
    forgotten: false,
    release() {},
    requestsTotal: 0,
    last: undefined,
    beforeLast: undefined,
    seen: { requests: 0, idleSweeps: 0, blockedSweeps: 0, bytesWritten: 0, overdueSweeps: 0 },
    overdue: false,
  };
}

/** Forgets an exchange whose response was sent. Kept until the next request, those of a thousand connections grow old. */
export function forgetExchange(connection: Connection, response: ServerResponse): void {
  if (connection.last?.response === response) connection.last = undefined;
  if (connection.beforeLast?.response === response) connection.beforeLast = undefined;
}

/** Time that a peer has to take what was sent to it and to close its side. */
const lingerMs = 1_000;

/**
 * Ends a connection: the peer may still read what was sent, for a second, then the socket is destroyed whatever the
 * peer does. Destroying at once would discard what is on its way.
 */
export function hangUp(socket: Socket, lastWords = ""): void {
  if (socket.destroyed) return;
  if (socket.writable) socket.end(lastWords);
  setTimeout(() => socket.destroy(), lingerMs).unref();
}
