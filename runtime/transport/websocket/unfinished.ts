import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import type { BodyRoom } from "../http/bodies.ts";
import { closeCodes } from "./options.ts";

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
