import type { ServerResponse } from "node:http";
import type { RawResponse } from "../pipeline/index.ts";

export interface AnswerFrame {
  readonly requestId: string;
  readonly revision: string;
  /** Whether this is the connection's last answer. */
  readonly closing: boolean;
}

/** Writes an answer in one piece. */
export function sendAnswer(response: ServerResponse, answer: RawResponse, frame: AnswerFrame): void {
  const { status, body, headers } = answer;
  response.writeHead(status, {
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": Buffer.byteLength(body),
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "X-Interface-Revision": frame.revision,
    "X-Request-Id": frame.requestId,
    ...(frame.closing ? { Connection: "close" } : {}),
    ...headers,
  });
  response.end(body);
}
