import type { IncomingMessage } from "node:http";
import { gatherBytes, type GatheredBytes } from "../../runtime/json/index.ts";

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

/** Bytes beyond the limit that are still read, so that the sender of an oversized body receives the error. */
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

/** Reads a body by hand: the bytes as they arrived. */
export function readBody(
  request: IncomingMessage,
  { bytesMax, timeoutMs, room }: BodyLimits,
): Promise<ReadBody> {
  return new Promise((resolve) => {
    /** Undefined once the body is of no more use: what still comes is thrown away. */
    let gathered: GatheredBytes | undefined = gatherBytes();
    let bytes = 0;
    let heldBytes = 0;
    let isDone = false;
    const timer = setTimeout(() => finish("too-slow"), timeoutMs);
    const finish = (body: ReadBody): void => {
      if (isDone) return;
      isDone = true;
      clearTimeout(timer);
      room.release(heldBytes);
      gathered = undefined;
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
        gathered = undefined;
        room.release(heldBytes);
        heldBytes = 0;
        if (bytes > takenBytesMax) finish("too-large");
        return;
      }
      gathered?.add(chunk);
      const more = (gathered?.held ?? heldBytes) - heldBytes;
      if (more === 0) return;
      if (room.hold(more)) heldBytes += more;
      else finish("no-room");
    });
    request.on("end", () => finish(gathered?.whole() ?? "too-large"));
    request.on("error", () => finish("aborted"));
    request.on("close", () => finish("aborted"));
  });
}
