import type { WebSocket } from "ws";
import { closeCodes } from "./options.ts";
import { disconnect } from "./unfinished.ts";

/** Accounts for what clients leave unread, over all connections. */
export interface UnreadRoom {
  /** So many bytes wait for a client now. Where there is no room, those that have read least lately are disconnected. */
  hold(socket: WebSocket, bytes: number): void;
}

export function createUnreadRoom(bytesMax: number): UnreadRoom {
  /** In the order in which they began to leave something unread. */
  const unread = new Map<WebSocket, number>();
  let total = 0;

  function hold(socket: WebSocket, bytes: number): void {
    total += bytes - (unread.get(socket) ?? 0);
    if (bytes === 0) unread.delete(socket);
    else unread.set(socket, bytes);
    for (const oldest of unread.keys()) {
      // One alone may take an answer that is larger.
      if (total <= bytesMax || unread.size === 1) return;
      hold(oldest, 0);
      disconnect(oldest, closeCodes.tryAgainLater, "no room for what is left unread");
    }
  }

  return { hold };
}
