import type { IncomingMessage } from "node:http";

/** Most bytes of a request body (D-10). */
const bodyBytesMax = 256 * 1024;
const json = /^application\/json\s*(?:;\s*charset="?utf-8"?\s*)?$/i;

/** A body; or the HTTP status of what cannot be taken, and why. */
export type Body = Buffer | { readonly status: number; readonly reason: string };

/** Reads the body of a call. Never rejects: a connection that ends too early gives what was sent. */
export async function readBody(request: IncomingMessage): Promise<Body> {
  if (request.method !== "POST") return { status: 405, reason: "http-method" };
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of request) {
      const part = Buffer.from(chunk);
      bytes += part.length;
      if (bytes <= bodyBytesMax) chunks.push(part);
    }
  } catch {
    // The caller is gone: the answer is not read.
  }
  if (bytes > bodyBytesMax) return { status: 413, reason: "body-too-large" };
  if (!json.test(request.headers["content-type"] ?? "")) return { status: 415, reason: "content-type" };
  if ((request.headers["content-encoding"] ?? "identity") !== "identity")
    return { status: 415, reason: "content-encoding" };
  return Buffer.concat(chunks);
}
