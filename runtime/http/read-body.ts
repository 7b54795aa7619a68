import type { IncomingMessage } from "node:http";

/** A whole body, or why there is none: it is too large, or the caller went away. */
export type ReadBody = Buffer | "too-large" | "aborted";

/** How much of an oversized body is still taken in, so that its sender gets to read the refusal. */
const discardedBytesMax = 4 * 1024 * 1024;

/**
 * Reads a request's body by hand: no copy where it comes in one piece. The rest of an oversized one is thrown away
 * before the answer, up to a limit, because a caller still sending does not read.
 */
export function readBody(request: IncomingMessage, bytesMax: number): Promise<ReadBody> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const declaredBytes = Number(request.headers["content-length"] ?? 0);
    const waits = request.headers.expect !== undefined;
    if (declaredBytes > (waits ? bytesMax : discardedBytesMax)) resolve("too-large");
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= bytesMax) chunks.push(chunk);
      else if (bytes > discardedBytesMax) resolve("too-large");
    });
    request.on("end", () => {
      const [only] = chunks;
      if (bytes > bytesMax) resolve("too-large");
      else resolve(chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks, bytes));
    });
    request.on("error", () => resolve("aborted"));
    request.on("close", () => resolve("aborted"));
  });
}
