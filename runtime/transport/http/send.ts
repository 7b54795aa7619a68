import type { ServerResponse } from "node:http";
import type { UnreadAnswers } from "../connections/index.ts";
import type { JsonRpcErrorDescriptor } from "../../contract/index.ts";
import { nullId, printError, printValue } from "../../protocol/json-rpc/index.ts";
import type { Answer } from "../../service/index.ts";
import type { HttpError } from "./check-request.ts";

/** Writes the answer to a message in one piece. */
export function sendAnswer(response: ServerResponse, answer: Answer, unread: UnreadAnswers): void {
  const { text, httpStatus, challenges, retryAfterS } = answer;
  if (retryAfterS !== undefined) response.setHeader("Retry-After", retryAfterS);
  if (challenges.length > 0) response.setHeader("WWW-Authenticate", [...challenges]);
  if (text === undefined) response.writeHead(httpStatus, { "Cache-Control": "no-store" }).end();
  else unread.sent(response, sendText(response, httpStatus, text));
}

/** Writes an error of HTTP itself: its status, and the closest error of JSON-RPC as the body. */
export function sendHttpError(
  response: ServerResponse,
  error: JsonRpcErrorDescriptor,
  { status, reason, headers = {} }: HttpError,
): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  sendText(response, status, printError(nullId, error, printValue({ reason })));
}

/** Gives the bytes of the body. */
function sendText(response: ServerResponse, status: number, text: string): number {
  const body = Buffer.from(text);
  response.writeHead(status, {
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": body.length,
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
  });
  response.end(body);
  return body.length;
}
