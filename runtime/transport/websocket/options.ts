export interface WebSocketOptions {
  /** Path of the handshake. Default: the path of the interface. */
  readonly path?: string;
  /**
   * Pages that may connect, by origin: `https://app.example`. Default: those of the host that the handshake names, so
   * that no other page can use the credentials that a browser adds by itself. `any` for interfaces that need none.
   */
  readonly origins?: "any" | readonly string[];
  /** Connections at once. Default 10,000. */
  readonly connections?: number;
  /** Messages of one connection worked on at once; reading pauses there. Default 16. */
  readonly messagesAtOnce?: number;
  /** Bytes that a client may leave unread before reading pauses and notifications are refused. Default 1 MiB. */
  readonly unreadBytes?: number;
  /** The same over all connections: beyond it those that have left something unread for longest go. Default 64 MiB. */
  readonly unreadTotalBytes?: number;
  /** Bytes of messages that are not whole, over all connections. Default 64 MiB. */
  readonly unfinishedBytes?: number;
  /** Longest time until a message is whole; looked at with each ping. Default 30,000. */
  readonly messageTimeoutMs?: number;
  /**
   * How often each client is pinged. One that has not answered by the next ping, or whose credentials hold no longer, is
   * disconnected. Default 30,000.
   */
  readonly pingMs?: number;
  /** How long `close` waits for calls at work and closing handshakes. Default 5000. */
  readonly closeMs?: number;
}

export type CheckedOptions = Required<Omit<WebSocketOptions, "path" | "origins">> &
  Pick<WebSocketOptions, "origins"> & { readonly path: string };

const counts = [
  "connections",
  "messagesAtOnce",
  "unreadBytes",
  "unreadTotalBytes",
  "unfinishedBytes",
  "messageTimeoutMs",
  "pingMs",
  "closeMs",
] as const;

/** @throws RangeError where a limit is not positive. */
export function checkOptions(path: string, options: WebSocketOptions): CheckedOptions {
  const checked = {
    path,
    connections: 10_000,
    messagesAtOnce: 16,
    unreadBytes: 1024 * 1024,
    unreadTotalBytes: 64 * 1024 * 1024,
    unfinishedBytes: 64 * 1024 * 1024,
    messageTimeoutMs: 30_000,
    pingMs: 30_000,
    closeMs: 5000,
    ...options,
  };
  for (const name of counts) {
    if (!(checked[name] > 0))
      throw new RangeError(`websocket: ${name} is ${checked[name]}: give a positive number`);
  }
  return checked;
}

/** Close codes (RFC 6455, section 7.4.1). */
export const closeCodes = {
  goingAway: 1001,
  unsupportedData: 1003,
  policyViolation: 1008,
  tryAgainLater: 1013,
} as const;
