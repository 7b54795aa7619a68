import type { IncomingMessage } from "node:http";
import { gatherBytes, type GatheredBytes } from "../json/index.ts";

/** A whole body, or why there is none: it is too large, there is no room for it, or the caller closed the connection. */
export type ReadBody = Buffer | "too-large" | "no-room" | "aborted";

/** Accounts for the bytes of bodies that are not yet whole. */
export interface BodyRoom {
  /** False where there is no room for that many more. */
  holdBytes(count: number): boolean;
  releaseBytes(count: number): void;
}

/** Bytes of an oversized body that are still read, so that its sender receives the error. */
const discardedBytesMax = 4 * 1024 * 1024;

/**
 * Reads a request's body by hand: no copy where it comes in one piece. The rest of an oversized one is thrown away
 * before the answer, up to a limit, because a caller still sending does not read.
 */
export function readBody(request: IncomingMessage, bytesMax: number, room: BodyRoom): Promise<ReadBody> {
  return new Promise((resolve) => {
    /** Of a body that comes in several pieces. */
    let gathered: GatheredBytes | undefined;
    let only: Buffer | undefined;
    /** The body is of no more use: what still comes is thrown away. */
    let isDiscarded = false;
    let bytes = 0;
    let heldBytes = 0;
    const discard = (): void => {
      isDiscarded = true;
      gathered = undefined;
      if (heldBytes > 0) room.releaseBytes(heldBytes);
      heldBytes = 0;
    };
    const finish = (body: ReadBody): void => {
      discard();
      resolve(body);
    };
    const declaredBytes = Number(request.headers["content-length"] ?? 0);
    const waits = request.headers.expect !== undefined;
    if (declaredBytes > (waits ? bytesMax : discardedBytesMax)) finish("too-large");
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > discardedBytesMax) finish("too-large");
      else if (bytes > bytesMax) discard();
      else if (chunk.length === declaredBytes) only = chunk;
      else if (!isDiscarded) {
        gathered ??= gatherBytes();
        gathered.add(chunk);
        const more = gathered.held - heldBytes;
        if (more === 0) return;
        if (room.holdBytes(more)) heldBytes += more;
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
