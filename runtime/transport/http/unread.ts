import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Bounds the answers over HTTP that callers leave unread, over all connections. */
export interface UnreadAnswers {
  /**
   * An answer of so many bytes was written. If there is no room, connections that have left something unread for
   * longest are disconnected. A single one is disconnected if it had already left another answer unread.
   */
  sent(response: ServerResponse, bytes: number): void;
}

/** @param disconnected Follows each connection that was destroyed for want of room. */
export function createUnreadAnswers(bytesMax = 64 * 1024 * 1024, disconnected?: () => void): UnreadAnswers {
  const unreadOf = new WeakMap<Socket, number>();
  const room = createUnreadRoom<Socket>(bytesMax, disconnect);

  function disconnect(socket: Socket): void {
    socket.destroy();
    disconnected?.();
  }

  function set(socket: Socket, bytes: number): void {
    unreadOf.set(socket, bytes);
    room.hold(socket, bytes);
  }

  /** Node says nothing of answers that wait for others when their connection closes. */
  function begin(socket: Socket): number {
    socket.once("close", () => set(socket, 0));
    return 0;
  }

  return {
    sent(response, bytes) {
      const { socket } = response.req;
      if (socket.destroyed || isTaken(response, socket)) return;
      const before = unreadOf.get(socket) ?? begin(socket);
      if (before > 0 && before + bytes > bytesMax) {
        disconnect(socket);
        return;
      }
      set(socket, before + bytes);
      response.once("close", () => {
        if (!socket.destroyed) set(socket, (unreadOf.get(socket) ?? 0) - bytes);
      });
    },
  };
}

/** Whether the operating system has taken all of it at once. One that waits for others has no socket yet. */
function isTaken(response: ServerResponse, socket: Socket): boolean {
  return socket.writableLength === 0 && response.socket !== null;
}

/** Counts what peers leave unread, over all connections. */
export interface UnreadRoom<Peer> {
  /** So many bytes wait for a peer now. Where there is no room, those that have read least lately are disconnected. */
  hold(peer: Peer, bytes: number): void;
}

export function createUnreadRoom<Peer>(bytesMax: number, disconnect: (peer: Peer) => void): UnreadRoom<Peer> {
  /** In the order in which they began to leave something unread. */
  const unread = new Map<Peer, number>();
  let total = 0;

  function hold(peer: Peer, bytes: number): void {
    total += bytes - (unread.get(peer) ?? 0);
    if (bytes === 0) unread.delete(peer);
    else unread.set(peer, bytes);
    for (const oldest of unread.keys()) {
      // One alone may take an answer that is larger.
      if (total <= bytesMax || unread.size === 1) return;
      hold(oldest, 0);
      disconnect(oldest);
    }
  }

  return { hold };
}
