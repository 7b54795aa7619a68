import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { type BodyLimits, isBodyRead, readBody } from "./bodies.ts";

/** Answers a request of a server; `target` is its request target as it was sent. */
export type Endpoint = (request: MountedRequest, response: ServerResponse, target: string) => void;

/** A request handler for Express, Connect, or `http.createServer`. */
export type HttpHandler = (
  request: MountedRequest,
  response: ServerResponse,
  next?: (error?: unknown) => void,
) => void;

/** Express keeps what it has cut off from `url`. */
export interface MountedRequest extends IncomingMessage {
  readonly originalUrl?: string;
  readonly baseUrl?: string;
}

/** An endpoint as a handler. Passes paths below the one that it is mounted on to the next handler. */
export function mounted(endpoint: Endpoint): HttpHandler {
  return (request, response, next) => {
    if (!isBelowMount(request)) endpoint(request, response, request.originalUrl ?? request.url ?? "");
    else if (next === undefined) response.writeHead(404).end();
    else next();
  };
}

/** Whether `app.use` has passed a request for a longer path than the one mounted. */
function isBelowMount({ baseUrl = "", url = "" }: MountedRequest): boolean {
  return baseUrl !== "" && url !== "" && url !== "/" && !url.startsWith("/?");
}

/** What a protocol takes as a message. */
export interface Intake extends BodyLimits {
  /** Longest time until a body is whole. Default: what the server allows. */
  readonly timeoutMs?: number;
  /** Whether a `Content-Type` announces a message. */
  isJson(contentType: string | undefined): boolean;
}

const statuses = {
  "http-method": 405,
  "body-already-read": 500,
  "content-encoding": 415,
  "content-type": 415,
  "too-large": 413,
  "too-slow": 408,
  "no-room": 503,
} as const;

/** Why a request has no message. */
export interface Unreceived {
  readonly reason: keyof typeof statuses;
  readonly status: number;
}

/** The message of a request: its body as it was sent. `aborted`: the caller closed the connection. */
export async function receive(
  request: IncomingMessage,
  intake: Intake,
): Promise<Buffer | Unreceived | "aborted"> {
  const fault = faultOf(request, intake);
  if (fault !== undefined) {
    // Discards the body, so that the caller can read the error.
    request.resume();
    return { reason: fault, status: statuses[fault] };
  }
  const body = await readBody(request, intake);
  if (body === "aborted" || typeof body !== "string") return body;
  return { reason: body, status: statuses[body] };
}

function faultOf(request: IncomingMessage, { isJson }: Intake): Unreceived["reason"] | undefined {
  const { "content-encoding": encoding = "identity", "content-type": type } = request.headers;
  if (request.method !== "POST") return "http-method";
  if (isBodyRead(request)) return "body-already-read";
  if (encoding.trim().toLowerCase() !== "identity") return "content-encoding";
  return isJson(type) ? undefined : "content-type";
}

/** An answer as it is sent. */
export interface Sent {
  readonly status: number;
  /** JSON. Absent where there is nothing to answer. */
  readonly body: string | undefined;
  readonly headers?: OutgoingHttpHeaders;
}

/** The `Content-Type` of every answer in JSON. */
export const jsonType = "application/json; charset=utf-8";

/** Writes an answer in one piece. Gives the bytes of its body. */
export function send(response: ServerResponse, { status, body, headers }: Sent): number {
  const bytes = body === undefined ? 0 : Buffer.byteLength(body);
  const ofBody = {
    "Content-Type": jsonType,
    "Content-Length": bytes,
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
  };
  response.writeHead(status, {
    ...(body === undefined ? { "Cache-Control": "no-store" } : ofBody),
    ...headers,
  });
  response.end(body);
  return bytes;
}

/** Calls back where the caller leaves before it has the answer. */
export function whenLeft(response: ServerResponse, leave: () => void): void {
  response.once("close", () => {
    if (!response.writableFinished) leave();
  });
}
