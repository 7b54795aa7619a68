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
