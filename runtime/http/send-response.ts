import type { ServerResponse } from "node:http";
import { omitUndefined } from "../contract/index.ts";
import type { RawResponse } from "../pipeline/index.ts";
import { jsonType } from "./content-type.ts";

export interface ResponseFrame {
  readonly requestId: string;
  readonly revision: string;
  /** Whether the connection is closed after it. */
  readonly closing: boolean;
}

/** Writes a response in one piece. Gives the bytes of its body. */
export function sendResponse(response: ServerResponse, raw: RawResponse, frame: ResponseFrame): number {
  const { status, body, headers } = raw;
  const bytes = Buffer.byteLength(body);
  response.writeHead(
    status,
    omitUndefined({
      "Content-Type": jsonType,
      "Content-Length": bytes,
      "Cache-Control": "no-store",
      "X-Content-Type-Options": "nosniff",
      "X-Interface-Revision": frame.revision,
      "X-Request-Id": frame.requestId,
      Connection: frame.closing ? "close" : undefined,
      ...headers,
    }),
  );
  response.end(body);
  return bytes;
}
