import type { IncomingMessage } from "node:http";

/** A whole body, or why there is none: it is too large, there is no room for it, or the caller closed the connection. */
export type ReadBody = Buffer | "too-large" | "no-room" | "aborted";

/** Accounts for the bytes of bodies that are not yet whole. */
export interface BodyRoom {
  /** False where there is no room for that many more. */
  holdBytes(count: number): boolean;
  releaseBytes(count: number): void;
}

/** How much of an oversized body is still taken in, so that its sender gets to read the refusal. */
const discardedBytesMax = 4 * 1024 * 1024;

/**
 * Reads a request's body by hand: no copy where it comes in one piece. The rest of an oversized one is thrown away
 * before the answer, up to a limit, because a caller still sending does not read.
 */
export function readBody(request: IncomingMessage, bytesMax: number, room: BodyRoom): Promise<ReadBody> {
  return new Promise((resolve) => {
    let chunks: Buffer[] = [];
    let bytes = 0;
    let heldBytes = 0;
    const finish = (body: ReadBody): void => {
      if (heldBytes > 0) room.releaseBytes(heldBytes);
      heldBytes = 0;
      chunks = [];
      resolve(body);
    };
    const declaredBytes = Number(request.headers["content-length"] ?? 0);
    const waits = request.headers.expect !== undefined;
    if (declaredBytes > (waits ? bytesMax : discardedBytesMax)) finish("too-large");
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= bytesMax) {
        chunks.push(chunk);
        if (bytes === declaredBytes) return;
        if (room.holdBytes(chunk.length)) heldBytes += chunk.length;
        else finish("no-room");
      } else if (bytes > discardedBytesMax) finish("too-large");
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
