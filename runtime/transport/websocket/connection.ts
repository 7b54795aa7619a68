import type { RawData, WebSocket } from "ws";
import { createFifo } from "../fifo.ts";
import { type UnreadRoom } from "../http/unread.ts";
import type { ServedInterface, Session } from "../../service/index.ts";
import { closeCodes, type CheckedOptions } from "./options.ts";
import type { Turns } from "./turns.ts";
import { disconnect, type Unfinished } from "./unfinished.ts";

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
