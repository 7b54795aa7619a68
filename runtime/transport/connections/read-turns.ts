import type { Connection } from "./connection.ts";
import { createFifo } from "./fifo.ts";

/**
 * Connections whose reading is paused read on one after the other, and only while few pipelined calls wait for a
 * permit. What is not read costs the bytes alone; a parsed request that waits is many objects, which the garbage
 * collector copies again and again.
 */
export interface ReadTurns {
  /** Reads on with a connection now or later. */
  add(connection: Connection): void;
  /** A request was answered: there may be room for another. */
  next(): void;
  /** Whether connections wait for their turn. */
  isWaiting(): boolean;
}

/** So many read on in one turn of the event loop: what they send is seen only when it is parsed. */
const perLoopTurnMax = 16;
/** How long until another look where nothing is answered on this port: calls of another one hold the permits. */
const lookAgainMs = 5;

export function createReadTurns(mayRead: () => boolean, readOn: (connection: Connection) => void): ReadTurns {
  const queue = createFifo<Connection>();
  let granted = 0;
  let scheduled = false;
  let timer: NodeJS.Timeout | undefined;

  function grant(): void {
    while (granted < perLoopTurnMax && mayRead()) {
      const connection = queue.shift();
      if (connection === undefined) return;
      granted += 1;
      connection.awaitsTurn = false;
      if (!connection.socket.destroyed) readOn(connection);
    }
  }

  function newLoopTurn(): void {
    scheduled = false;
    granted = 0;
    look();
  }

  function look(): void {
    grant();
    if (granted > 0 && !scheduled) {
      scheduled = true;
      setImmediate(newLoopTurn);
    }
    if (queue.length > 0 && !scheduled) {
      timer ??= setTimeout(() => {
        timer = undefined;
        look();
      }, lookAgainMs).unref();
    }
  }

  return {
    add(connection) {
      if (connection.awaitsTurn) return;
      connection.awaitsTurn = true;
      queue.push(connection);
      look();
    },
    next() {
      if (queue.length > 0) look();
    },
    isWaiting: () => queue.length > 0,
  };
}
