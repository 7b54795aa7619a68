import type { Connection } from "./connection.ts";
import { createFifo } from "./fifo.ts";
import { loopTurn } from "./loop-turn.ts";

/**
 * Bounds what is parsed in one turn of the event loop, over all connections of a port. Node reads up to 2 MiB of a
 * connection before it looks at the next one: of a body sent byte by byte, in chunks, that is more than half a second.
 */
export interface ReadBudget {
  /**
   * Counts bytes that were parsed. Where the budget is used up the connection is paused until a later turn, and
   * then has its share after those that were paused before it.
   */
  spend(connection: Connection, bytes: number): void;
}

/** Some 25 calls; at worst, of chunks of one byte, 5 ms. */
const bytesPerTurn = 16 * 1024;
/** So many read on in one turn: each has a slice at least. */
const perTurnMax = 16;
/** How much smaller both are at least while connections wait to be accepted, each for a turn. */
const burstShare = 1 / 16;

/** The budget of one port. `readOn` resumes a connection unless it is held for another reason. */
export function createReadBudget(
  readOn: (connection: Connection) => void,
  perTurn: (usual: number, inBurst: number) => number,
): ReadBudget {
  const waiting = createFifo<Connection>();
  let left = 0;
  /** The turn that `left` is of. */
  let ofTurn = -1;
  let scheduled = false;

  function readOnWaiting(): void {
    scheduled = false;
    const most = Math.max(1, perTurn(perTurnMax, perTurnMax * burstShare));
    for (let granted = 0; granted < most; granted += 1) {
      const connection = waiting.shift();
      if (connection === undefined) return;
      connection.overBudget = false;
      if (!connection.socket.destroyed) readOn(connection);
    }
    schedule();
  }

  function schedule(): void {
    if (scheduled) return;
    scheduled = true;
    setImmediate(readOnWaiting);
  }

  return {
    spend(connection, bytes) {
      if (ofTurn !== loopTurn()) {
        ofTurn = loopTurn();
        const least = bytesPerTurn * burstShare;
        left = Math.max(least, perTurn(bytesPerTurn, least));
      }
      left -= bytes;
      if (left > 0 || connection.overBudget) return;
      connection.overBudget = true;
      connection.socket.pause();
      waiting.push(connection);
      schedule();
    },
  };
}
