import { Server as NetServer } from "node:net";
import type { Server } from "node:http";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { hangUp, type Connection } from "./connection.ts";
import type { ConnectionGuard } from "./connection-guard.ts";
import type { RequestGate } from "./request-gate.ts";

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
 * Closes a port: accepts the connections that wait, then takes no new one, reads and answers what the open ones bring
 * until they are quiet, ends them, waits for those of other protocols, and after `graceMs` destroys what is left.
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
