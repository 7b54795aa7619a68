import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { countedAddress, isLoopback } from "../../contract/address.ts";
import { createCounts, type Fifo, createFifo } from "../../contract/queues.ts";

/** Why a connection is refused or ended. */
export const refusedReasons = [
  "limit",
  "address-limit",
  "reserve-full",
  "idle-evicted",
  "answers-not-read",
  "host-name",
] as const;
export type RefusedReason = (typeof refusedReasons)[number];

/** Knows one port's open connections and ends those that only hold a place. */
export interface ConnectionGuard {
  /** The connection of a socket that was just accepted; undefined where it was destroyed. */
  accept(socket: Socket): Connection | undefined;
  /** Without those above a limit. */
  readonly connections: ReadonlySet<Connection>;
  /** Those that speak another protocol now: no limit of these is theirs. */
  readonly released: ReadonlySet<Socket>;
  /** Forgets a connection that speaks another protocol from now on. */
  release(connection: Connection): void;
  /** How many are open, those above a limit included. */
  readonly open: number;
  /** Stops the sweeps. */
  close(): void;
}

export interface ConnectionLimits {
  /** Default 4,096. */
  readonly connectionsMax?: number;
  /** Of one address; 0, the default: no limit. Loopback addresses are exempt unless `countLoopback`. */
  readonly connectionsPerAddressMax?: number;
  readonly countLoopback?: boolean;
  /** Time an answer may stay unread. Default 20,000. */
  readonly answerTimeoutMs?: number;
  /** Time to receive a whole request. Default 30,000. */
  readonly requestTimeoutMs?: number;
  /** For tests. */
  readonly sweepEveryMs?: number;
}

export interface GuardEvents {
  opened(connection: Connection, open: number): void;
  closed(connection: Connection, open: number): void;
  refused(reason: RefusedReason): void;
  /** One above a limit gives way to a later one. It is to be ended at once. */
  gaveWay(connection: Connection): void;
}

/** Connections above a limit that are kept for a health check. When all are taken, the oldest gives way. */
const reserveMax = 32;
/** How long such a connection may take. */
const reserveMs = 2_000;
/** Less than this a second is no reading. */
const bytesPerSecondMin = 1_024;

/** The guard of one port. */
// oxlint-disable-next-line max-lines-per-function -- accepting, evicting and sweeping share the sets of connections
export function createConnectionGuard(
  limits: ConnectionLimits & { readonly connectionsMax: number },
  events: GuardEvents,
): ConnectionGuard {
  const { connectionsMax, connectionsPerAddressMax = 0, countLoopback = false } = limits;
  const { answerTimeoutMs = 20_000, requestTimeoutMs = 30_000, sweepEveryMs = 1_000 } = limits;
  const connections = new Set<Connection>();
  const reserve = new Set<Connection>();
  const released = new Set<Socket>();
  const byAddress = createCounts();
  const sweeping = setInterval(sweep, sweepEveryMs).unref();

  function isAddressFull(address: string, remoteAddress: string): boolean {
    if (connectionsPerAddressMax === 0 || (!countLoopback && isLoopback(remoteAddress))) return false;
    return byAddress.of(address) >= connectionsPerAddressMax;
  }

  function add(connection: Connection): Connection {
    const { socket, address, kind } = connection;
    const places = kind === "regular" ? connections : reserve;
    places.add(connection);
    if (kind === "regular") byAddress.add(address, 1);
    events.opened(connection, connections.size + reserve.size);
    socket.on("close", () => forget(connection));
    return connection;
  }

  function forget(connection: Connection): void {
    if (connection.forgotten) return;
    connection.forgotten = true;
    connection.finished = true;
    (connection.kind === "regular" ? connections : reserve).delete(connection);
    if (connection.kind === "regular") byAddress.add(connection.address, -1);
    events.closed(connection, connections.size + reserve.size);
  }

  function addToReserve(socket: Socket, address: string): Connection {
    const [oldest] = reserve;
    if (oldest !== undefined && reserve.size >= reserveMax) {
      events.refused("reserve-full");
      events.gaveWay(oldest);
      reserve.delete(oldest);
    }
    const timer = setTimeout(() => socket.destroy(), reserveMs).unref();
    socket.on("close", () => clearTimeout(timer));
    return add(createConnection(socket, address, "reserve"));
  }

  function evictIdle(): boolean {
    const found = idlestOf(connections);
    if (found === undefined) return false;
    events.refused("idle-evicted");
    found.socket.destroy();
    return connections.delete(found);
  }

  function sweep(): void {
    for (const connection of [...connections, ...reserve]) {
      noteIdle(connection);
      if (!isReading(connection, sweepEveryMs, answerTimeoutMs)) {
        events.refused("answers-not-read");
        connection.socket.destroy();
      } else if (isLate(connection, sweepEveryMs, requestTimeoutMs)) hangUp(connection.socket);
    }
  }

  return {
    accept(socket) {
      const remoteAddress = socket.remoteAddress;
      if (remoteAddress === undefined) {
        socket.destroy();
        return undefined;
      }
      const address = countedAddress(remoteAddress);
      if (isAddressFull(address, remoteAddress)) {
        events.refused("address-limit");
        return addToReserve(socket, address);
      }
      if (connections.size >= connectionsMax && !evictIdle()) {
        events.refused("limit");
        return addToReserve(socket, address);
      }
      return add(createConnection(socket, address, "regular"));
    },
    connections,
    released,
    release(connection) {
      const { socket } = connection;
      forget(connection);
      released.add(socket);
      socket.on("close", () => released.delete(socket));
    },
    get open() {
      return connections.size + reserve.size;
    },
    close: () => clearInterval(sweeping),
  };
}

/** The first sweep may follow right after a connection was accepted, before it could be read. */
const idleSweepsMin = 2;

/**
 * The connection that only holds its place: one that never sent a request, else the longest idle one, else the one
 * whose request arrives slowest.
 */
function idlestOf(connections: ReadonlySet<Connection>): Connection | undefined {
  let found: Connection | undefined;
  for (const connection of connections) {
    if (isAtWork(connection) || connection.seen.idleSweeps < idleSweepsMin) continue;
    if (found === undefined || idleRank(connection) > idleRank(found)) found = connection;
  }
  return found;
}

/** Whether the peer reads what is sent to it, if anything is. Called once a sweep. */
function isReading({ socket, seen }: Connection, sweepEveryMs: number, answerTimeoutMs: number): boolean {
  const written = socket.bytesWritten - socket.writableLength;
  if (socket.writableLength === 0) {
    seen.blockedSweeps = 0;
    seen.bytesWritten = written;
    return true;
  }
  seen.blockedSweeps += 1;
  if (seen.blockedSweeps * sweepEveryMs < answerTimeoutMs) return true;
  const isEnough = written - seen.bytesWritten >= (bytesPerSecondMin * answerTimeoutMs) / 1_000;
  seen.blockedSweeps = 0;
  seen.bytesWritten = written;
  return isEnough;
}

/**
 * Whether a request that was not whole in time, because its connection was paused, was answered, or is not whole
 * after the same time once more.
 */
function isLate(
  { overdue, paused, outstanding, seen }: Connection,
  sweepEveryMs: number,
  timeoutMs: number,
): boolean {
  seen.overdueSweeps = overdue && !paused ? seen.overdueSweeps + 1 : 0;
  return seen.overdueSweeps > 0 && (outstanding === 0 || seen.overdueSweeps * sweepEveryMs >= timeoutMs);
}

function noteIdle(connection: Connection): void {
  const { requestsTotal, paused, seen } = connection;
  // One that is not read now may have sent requests: it waits for the service.
  const isIdle = !isAtWork(connection) && requestsTotal === seen.requests && !paused;
  seen.idleSweeps = isIdle ? seen.idleSweeps + 1 : 0;
  seen.requests = requestsTotal;
}

/** A request that is not whole yet needs no work: its body may never come. */
function isAtWork({ outstanding, last }: Connection): boolean {
  return outstanding > 1 || (outstanding === 1 && last?.request.complete !== false);
}

/** Connections that never sent a request come before all others, those with a request that is not whole after them. */
function idleRank({ requestsTotal, outstanding, seen }: Connection): number {
  if (outstanding > 0) return seen.idleSweeps - 1e9;
  return seen.idleSweeps + (requestsTotal === 0 ? 1e9 : 0);
}

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

/** Stops what a socket reads on its way to the parser. */
export interface Valve {
  shut(): void;
  open(): void;
  /** Leaves the socket to another protocol. */
  remove(): void;
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
  /** Stops and starts reading. */
  valve: Valve;
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
    valve: { shut() {}, open() {}, remove() {} },
    requestsTotal: 0,
    last: undefined,
    beforeLast: undefined,
    seen: { requests: 0, idleSweeps: 0, blockedSweeps: 0, bytesWritten: 0, overdueSweeps: 0 },
    overdue: false,
  };
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
