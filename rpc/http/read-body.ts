import type { IncomingMessage } from "node:http";

/** A whole body, or why there is none. */
export type ReadBody = Buffer | "too-large" | "too-slow" | "no-room" | "aborted";

export interface BodyLimits {
  readonly bytesMax: number;
  /** Longest time until a body is whole. */
  readonly timeoutMs: number;
  /** Accounts for the bytes of all bodies that are not yet whole. */
  readonly room: BodyRoom;
}

export interface BodyRoom {
  /** False where there is no room for that many more. */
  hold(count: number): boolean;
  release(count: number): void;
}

/** How much is still taken in beyond the limit, so that the sender of an oversized body gets to read the refusal. */
const discardedBytesMax = 4 * 1024 * 1024;

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
  };
}

/** Reads a body by hand: no copy where it comes in one piece, and the bytes as they arrived. */
export function readBody(
  request: IncomingMessage,
  { bytesMax, timeoutMs, room }: BodyLimits,
): Promise<ReadBody> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    let heldBytes = 0;
    let isDone = false;
    const timer = setTimeout(() => finish("too-slow"), timeoutMs);
    const finish = (body: ReadBody): void => {
      if (isDone) return;
      isDone = true;
      clearTimeout(timer);
      room.release(heldBytes);
      chunks.length = 0;
      resolve(body);
    };
    const takenBytesMax = bytesMax + discardedBytesMax;
    const waits = request.headers.expect !== undefined;
    if (Number(request.headers["content-length"] ?? 0) > (waits ? bytesMax : takenBytesMax)) {
      finish("too-large");
      return;
    }
    request.on("data", (chunk: Buffer) => {
      if (isDone) return;
      bytes += chunk.length;
      if (bytes > bytesMax) {
        // What has come so far is of no more use, and the rest is thrown away.
        chunks.length = 0;
        if (bytes > takenBytesMax) finish("too-large");
        return;
      }
      if (!room.hold(chunk.length)) {
        finish("no-room");
        return;
      }
      heldBytes += chunk.length;
      chunks.push(chunk);
    });
    request.on("end", () => {
      const [only] = chunks;
      if (bytes > bytesMax) finish("too-large");
      else finish(chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks, bytes));
    });
    request.on("error", () => finish("aborted"));
    request.on("close", () => finish("aborted"));
  });
}
