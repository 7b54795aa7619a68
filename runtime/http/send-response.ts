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

/** Writes a response in one piece. */
export function sendResponse(response: ServerResponse, raw: RawResponse, frame: ResponseFrame): void {
  const { status, body, headers } = raw;
  response.writeHead(
    status,
    omitUndefined({
      "Content-Type": jsonType,
      "Content-Length": Buffer.byteLength(body),
      "Cache-Control": "no-store",
      "X-Content-Type-Options": "nosniff",
      "X-Interface-Revision": frame.revision,
      "X-Request-Id": frame.requestId,
      Connection: frame.closing ? "close" : undefined,
      ...headers,
    }),
  );
  response.end(body);
}
