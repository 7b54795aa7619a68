import type { Socket } from "node:net";
import { countedAddress, isLoopback } from "./address.ts";
import { createConnection, hangUp, type Connection } from "./connection.ts";

/** Why a connection was refused or ended by the service. */
export type ConnectionRefusal =
  "limit" | "address-limit" | "reserve-full" | "idle-evicted" | "answers-not-read";

/** Keeps account of one port's open connections and ends those that only hold a place. */
export interface ConnectionGuard {
  /** The connection of a socket that was just accepted; undefined where it was destroyed. */
  accept(socket: Socket): Connection | undefined;
  /** Without those above a limit. */
  readonly connections: ReadonlySet<Connection>;
  /** How many are open, those above a limit included. */
  readonly open: number;
  /** Stops the sweeps. */
  close(): void;
}

export interface ConnectionLimits {
  /** Default: no limit. */
  readonly connectionsMax?: number;
  /** Of one address; 0, the default: no limit. Loopback addresses are exempt unless `countLoopback`. */
  readonly connectionsPerAddressMax?: number;
  readonly countLoopback?: boolean;
  /** Time an answer may stay unread. Default 20,000. */
  readonly answerTimeoutMs?: number;
  /** For tests. */
  readonly sweepEveryMs?: number;
}

export interface GuardEvents {
  opened(connection: Connection, open: number): void;
  closed(connection: Connection, open: number): void;
  refused(reason: ConnectionRefusal): void;
}

/** Connections above a limit that are kept for a health check. When all are taken, the oldest gives way. */
const reserveMax = 32;
/** How long such a connection may take. */
const reserveMs = 2_000;
/** Less than this a second is no reading. */
const bytesPerSecondMin = 1_024;

export function createConnectionGuard(limits: ConnectionLimits, events: GuardEvents): ConnectionGuard {
  const { connectionsMax = Infinity, connectionsPerAddressMax = 0, countLoopback = false } = limits;
  const { answerTimeoutMs = 20_000, sweepEveryMs = 1_000 } = limits;
  const connections = new Set<Connection>();
  const reserve = new Set<Connection>();
  const byAddress = new Map<string, number>();
  const sweeping = setInterval(sweep, sweepEveryMs).unref();

  function count(address: string, change: 1 | -1): void {
    const now = (byAddress.get(address) ?? 0) + change;
    if (now > 0) byAddress.set(address, now);
    else byAddress.delete(address);
  }

  function isAddressFull(address: string, remoteAddress: string): boolean {
    if (connectionsPerAddressMax === 0 || (!countLoopback && isLoopback(remoteAddress))) return false;
    return (byAddress.get(address) ?? 0) >= connectionsPerAddressMax;
  }

  function add(connection: Connection): Connection {
    const { socket, address, kind } = connection;
    const places = kind === "regular" ? connections : reserve;
    places.add(connection);
    if (kind === "regular") count(address, 1);
    events.opened(connection, connections.size + reserve.size);
    socket.on("close", () => {
      places.delete(connection);
      if (kind === "regular") count(address, -1);
      connection.finished = true;
      events.closed(connection, connections.size + reserve.size);
    });
    return connection;
  }

  function addToReserve(socket: Socket, address: string): Connection {
    const [oldest] = reserve;
    if (oldest !== undefined && reserve.size >= reserveMax) {
      events.refused("reserve-full");
      oldest.socket.destroy();
      reserve.delete(oldest);
    }
    const timer = setTimeout(() => socket.destroy(), reserveMs).unref();
    socket.on("close", () => clearTimeout(timer));
    return add(createConnection(socket, address, "reserve"));
  }

  /** The place of a connection that only holds it: one that never sent a request, else the one idle longest. */
  function evictIdle(): boolean {
    let found: Connection | undefined;
    for (const connection of connections) {
      if (connection.outstanding > 0 || connection.seen.idleSweeps === 0) continue;
      if (found === undefined || idleRank(connection) > idleRank(found)) found = connection;
    }
    if (found === undefined) return false;
    events.refused("idle-evicted");
    found.socket.destroy();
    return connections.delete(found);
  }

  function sweep(): void {
    for (const connection of [...connections, ...reserve]) {
      noteIdle(connection);
      if (!isReading(connection)) {
        events.refused("answers-not-read");
        connection.socket.destroy();
      } else if (connection.overdue && !connection.held && connection.outstanding === 0) {
        hangUp(connection.socket);
      }
    }
  }

  /** Whether the peer takes what is sent to it, if anything is. */
  function isReading({ socket, seen }: Connection): boolean {
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
    get open() {
      return connections.size + reserve.size;
    },
    close: () => clearInterval(sweeping),
  };
}

function noteIdle({ outstanding, requestsTotal, seen }: Connection): void {
  const isIdle = outstanding === 0 && requestsTotal === seen.requests;
  seen.idleSweeps = isIdle ? seen.idleSweeps + 1 : 0;
  seen.requests = requestsTotal;
}

/** Connections that never sent a request come before all others. */
function idleRank({ requestsTotal, seen }: Connection): number {
  return seen.idleSweeps + (requestsTotal === 0 ? 1e9 : 0);
}
