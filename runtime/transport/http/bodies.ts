import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** A whole body, or why it is missing; `aborted`: the caller closed the connection. */
export type ReadBody = Buffer | "too-large" | "too-slow" | "no-room" | "aborted";

export interface BodyLimits {
  readonly bytesMax: number;
  readonly room: BodyRoom;
}

export interface TimedBodyLimits extends BodyLimits {
  /** Longest time until a body is whole. */
  readonly timeoutMs: number;
}

/** Bytes beyond the limit that are still read, so that the sender of an oversized body receives the error. */
const discardedBytesMax = 4 * 1024 * 1024;

/** So many pieces of a body are taken in a turn of the event loop: a caller may send 250,000 of one byte at once. */
const piecesPerTurn = 256;

/**
 * Reads a request's body by hand, the bytes as they arrived: no copy where it comes in one piece. The rest of an oversized
 * one is thrown away before the answer, up to a limit, because a caller still sending does not read.
 */
export function readBody(request: IncomingMessage, limits: TimedBodyLimits): Promise<ReadBody>;
export function readBody(
  request: IncomingMessage,
  limits: BodyLimits,
): Promise<Exclude<ReadBody, "too-slow">>;
export function readBody(
  request: IncomingMessage,
  { bytesMax, room, timeoutMs }: BodyLimits & Partial<TimedBodyLimits>,
): Promise<ReadBody> {
  return new Promise((resolve) => {
    /** Pieces of a body that comes in several. */
    let gathered: GatheredBytes | undefined;
    let only: Buffer | undefined;
    /** The body is of no more use: what still comes is thrown away. */
    let isDiscarded = false;
    let bytes = 0;
    let heldBytes = 0;
    let pieces = 0;
    const timer = timeoutMs === undefined ? undefined : setTimeout(() => finish("too-slow"), timeoutMs);
    const discard = (): void => {
      isDiscarded = true;
      gathered = undefined;
      if (heldBytes > 0) room.release(heldBytes);
      heldBytes = 0;
    };
    const finish = (body: ReadBody): void => {
      clearTimeout(timer);
      discard();
      resolve(body);
    };
    const takenBytesMax = bytesMax + discardedBytesMax;
    const declaredBytes = Number(request.headers["content-length"] ?? 0);
    const waits = request.headers.expect !== undefined;
    if (declaredBytes > (waits ? bytesMax : takenBytesMax)) finish("too-large");
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      pieces += 1;
      if (pieces === piecesPerTurn) {
        request.pause();
        setImmediate(() => {
          pieces = 0;
          request.resume();
        });
      }
      if (bytes > takenBytesMax) finish("too-large");
      else if (bytes > bytesMax) discard();
      else if (chunk.length === declaredBytes) only = chunk;
      else if (!isDiscarded) {
        gathered ??= gatherBytes();
        gathered.add(chunk);
        const more = gathered.held - heldBytes;
        if (more === 0) return;
        if (room.hold(more)) heldBytes += more;
        else finish("no-room");
      }
    });
    request.on("end", () =>
      finish(isDiscarded ? "too-large" : (only ?? gathered?.whole() ?? Buffer.alloc(0))),
    );
    request.on("error", () => finish("aborted"));
    request.on("close", () => finish("aborted"));
  });
}

/** Whether something else has read the body, or is reading it. */
export function isBodyRead(request: IncomingMessage): boolean {
  return request.readableDidRead || request.readableEnded || request.readableFlowing === true;
}

/** Counts the bytes of bodies and messages that are not yet whole. */
export interface BodyRoom {
  /** False where there is no room for that many more. */
  hold(count: number): boolean;
  release(count: number): void;
  /** Bytes that are held now. */
  readonly held: number;
}

export function createBodyRoom(bytesMax: number): BodyRoom {
  let held = 0;
  return {
    hold(count) {
      if (held + count > bytesMax) return false;
      held += count;
      return true;
    },
    release(count) {
      held -= count;
    },
    get held() {
      return held;
    },
  };
}

/** Bytes of one text that arrive in pieces. */
export interface GatheredBytes {
  /** Bytes so far. */
  readonly length: number;
  /** Memory that is held for them: at most twice their number. */
  readonly held: number;
  add(piece: Uint8Array): void;
  /** All of them, without a copy: nothing may be added afterwards. */
  whole(): Buffer;
}

/**
 * Gathers pieces in one buffer that grows. A piece kept as it came would hold an object and the larger buffer behind
 * it. If a caller sends a body byte by byte, that is a hundred times its length and more.
 */
export function gatherBytes(): GatheredBytes {
  let bytes = Buffer.alloc(0);
  let length = 0;
  return {
    get length() {
      return length;
    },
    get held() {
      return bytes.length;
    },
    add(piece) {
      if (length + piece.length > bytes.length) {
        const larger = Buffer.allocUnsafeSlow(Math.max(2 * bytes.length, length + piece.length));
        bytes.copy(larger, 0, 0, length);
        bytes = larger;
      }
      bytes.set(piece, length);
      length += piece.length;
    },
    whole: () => bytes.subarray(0, length),
  };
}

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
