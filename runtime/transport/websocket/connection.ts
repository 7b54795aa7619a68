import type { RawData, WebSocket } from "ws";
import { createFifo } from "../../contract/queues.ts";
import { type UnreadRoom, type BodyRoom } from "../http/bodies.ts";
import type { ServedInterface, Session } from "../../service/index.ts";
import { closeCodes, type CheckedOptions } from "./options.ts";
import type { Duplex } from "node:stream";

/** One connection at work. */
export interface Connection {
  /** Sends a notification. False where the client does not read, or is gone. */
  notify(text: string): boolean;
  /** Disconnects a client that has not answered the ping before or leaves a message unfinished, and pings it again. */
  ping(): void;
  /** Disconnects a client whose credentials hold no longer. */
  checkCredentials(): Promise<void>;
  /** Takes no more messages; closes when those that have come are answered. */
  finish(): void;
}

/** The parts that all connections of an endpoint share. */
export interface SharedParts {
  readonly unread: UnreadRoom<WebSocket>;
  readonly turns: Turns;
}

/** Answers the messages of a connection: each as soon as its answer is ready. */
// oxlint-disable-next-line max-lines-per-function -- every step changes the state of one connection
export function runConnection(
  socket: WebSocket,
  unfinished: Unfinished,
  { unread, turns }: SharedParts,
  session: Session,
  service: ServedInterface,
  options: CheckedOptions,
): Connection {
  /** Messages that came in one piece with others: reading cannot stop between them. */
  const waiting = createFifo<Buffer>();
  let atWork = 0;
  let isAlive = true;
  let isFinishing = false;

  const isUnread = (): boolean => socket.bufferedAmount > options.unreadBytes;

  const hasPlace = (): boolean => atWork < options.messagesAtOnce && !isUnread();

  /** Reading stops while answers are not taken: the client's own sending comes to a stop then. */
  function goOn(): void {
    while (waiting.length > 0 && hasPlace() && turns.take(goOn)) {
      const next = waiting.shift();
      if (next !== undefined) void answer(next);
    }
    if (waiting.length > 0 || !hasPlace()) socket.pause();
    else socket.resume();
    if (isFinishing && atWork === 0 && waiting.length === 0)
      socket.close(closeCodes.goingAway, "the service is stopping");
  }

  function send(text: string): void {
    if (socket.readyState !== socket.OPEN) return;
    socket.send(text, sent);
    unread.hold(socket, socket.bufferedAmount);
  }

  function sent(): void {
    if (socket.readyState === socket.OPEN) unread.hold(socket, socket.bufferedAmount);
    goOn();
  }

  async function answer(bytes: Buffer): Promise<void> {
    atWork += 1;
    try {
      const { text } = await session.answer(bytes);
      if (text !== undefined) send(text);
    } catch (error) {
      service.report(error);
      socket.terminate();
    } finally {
      atWork -= 1;
      goOn();
    }
  }

  socket.on("message", (data, isBinary) => {
    if (isFinishing) return;
    if (isBinary) {
      socket.close(closeCodes.unsupportedData, "messages are text");
      return;
    }
    waiting.push(bytesOf(data));
    goOn();
  });
  socket.on("pong", () => {
    isAlive = true;
  });
  socket.on("close", () => {
    waiting.clear();
    turns.drop(goOn);
    session.leave();
    unread.hold(socket, 0);
  });
  // A frame that breaks the protocol, or a lost connection: `ws` closes the socket with the right code.
  socket.on("error", () => undefined);

  return {
    notify(text) {
      if (socket.readyState !== socket.OPEN || isUnread()) return false;
      send(text);
      return true;
    },
    ping() {
      // While calls are at work, nothing is read, not even the answers to pings.
      if (socket.isPaused && !isUnread()) {
        unfinished.restart();
        return;
      }
      if (!isAlive) socket.terminate();
      else if (unfinished.isOlderThan(options.messageTimeoutMs))
        disconnect(socket, closeCodes.policyViolation, "a message took too long to be whole");
      else if (socket.readyState === socket.OPEN) {
        isAlive = false;
        socket.ping();
      }
    },
    async checkCredentials() {
      const { kind } = await session.admit();
      // Where they cannot be verified now, calls say so, and the connection stays.
      if (kind === "unauthenticated")
        disconnect(socket, closeCodes.policyViolation, "the credentials hold no longer");
    },
    finish() {
      isFinishing = true;
      goOn();
    },
  };
}

function bytesOf(data: RawData): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data);
  return Buffer.isBuffer(data) ? data : Buffer.from(data);
}

/** Shares the turns of the event loop between the connections that have messages to begin. */
export interface Turns {
  /** Whether a connection may begin a message now. Otherwise `goOn` follows in a later turn. */
  take(goOn: () => void): boolean;
  /** The connection has no more messages. */
  drop(goOn: () => void): void;
}

/** So many messages are begun in one turn, over all connections. */
const perTurnMax = 16;

export function createTurns(): Turns {
  /** In the order in which they have their turn: one message each while others wait. */
  const waiting = new Set<() => void>();
  let isTurn = false;
  let begun = 0;
  let granted: (() => void) | undefined;

  function begin(): void {
    isTurn = true;
    begun = 0;
    setImmediate(next);
  }

  function next(): void {
    isTurn = false;
    if (waiting.size === 0) return;
    begin();
    // Each connection once: those that take one and have more stand behind the others.
    for (const goOn of [...waiting].slice(0, perTurnMax)) {
      waiting.delete(goOn);
      granted = goOn;
      goOn();
    }
    granted = undefined;
  }

  return {
    take(goOn) {
      if (!isTurn) begin();
      const isGranted = granted === goOn;
      if (isGranted) granted = undefined;
      if (begun < perTurnMax && (isGranted || waiting.size === 0)) {
        begun += 1;
        return true;
      }
      waiting.add(goOn);
      return false;
    },
    drop: (goOn) => void waiting.delete(goOn),
  };
}

/** A message that has begun to arrive. */
export interface Unfinished {
  /** Whether it has not become whole for so long. Milliseconds. */
  isOlderThan(ageMs: number): boolean;
  /** The service itself has not read on: the time begins anew. */
  restart(): void;
}

/** A masked control frame has so many bytes beside its payload (RFC 6455, section 5.2). */
const controlFrameBytes = 6;

/**
 * Counts the bytes of a connection that belong to no whole message yet, and ends the connection where there is no
 * room for them. Bytes that follow a message in the same piece are not counted: at most the 64 KiB that are read at
 * once.
 */
export function watchUnfinished(socket: WebSocket, stream: Duplex, room: BodyRoom): Unfinished {
  let heldBytes = 0;
  let sinceMs = 0;

  function release(bytes: number): void {
    const released = Math.min(bytes, heldBytes);
    heldBytes -= released;
    room.release(released);
  }

  // Before the listener of `ws`, which tells of whole messages while it reads.
  stream.prependListener("data", ({ length }: Buffer) => {
    if (socket.readyState !== socket.OPEN) return;
    if (heldBytes === 0) sinceMs = performance.now();
    if (room.hold(length)) heldBytes += length;
    else disconnect(socket, closeCodes.tryAgainLater, "no room for unfinished messages");
  });
  socket.on("message", () => release(heldBytes));
  for (const event of ["ping", "pong"] as const)
    socket.on(event, ({ length }) => release(length + controlFrameBytes));
  socket.on("close", () => release(heldBytes));

  return {
    isOlderThan: (ageMs) => heldBytes > 0 && performance.now() - sinceMs > ageMs,
    restart: () => void (sinceMs = performance.now()),
  };
}

/** Closes at once: what the peer still sends is not waited for. */
export function disconnect(socket: WebSocket, code: number, reason: string): void {
  socket.close(code, reason);
  setImmediate(() => socket.terminate());
}
