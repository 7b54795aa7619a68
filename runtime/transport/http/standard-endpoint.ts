import type { IncomingMessage, ServerResponse } from "node:http";
import type { Evidence } from "../../auth/port.ts";
import { type JsonRpcErrorDescriptor, omitUndefined } from "../../contract/index.ts";
import { nullId, printError, printValue } from "../../protocol/json-rpc/index.ts";
import { type Answer, type AnsweringService, checkTransport } from "../../service/index.ts";
import { type TimedBodyLimits, createBodyRoom, isBodyRead, readBody } from "./bodies.ts";
import { type UnreadAnswers, createUnreadAnswers } from "./unread.ts";

export interface HttpOptions {
  /** Longest time until a body is whole. Default 30,000. */
  readonly bodyTimeoutMs?: number;
  /** Bytes of unfinished bodies held at once, over all requests. Default 64 MiB. */
  readonly unfinishedBytes?: number;
  /**
   * Bytes of answers that callers leave unread, over all connections. Beyond it, those that have left something unread
   * for longest are disconnected. Default 64 MiB.
   */
  readonly unreadBytes?: number;
}

/** A request handler for Express, Connect, or `http.createServer`. */
export type HttpHandler = (
  request: MountedRequest,
  response: ServerResponse,
  next?: (error?: unknown) => void,
) => void;

const bodyReadMessage =
  "the body was read before the JSON-RPC handler: mount it before body parsers such as express.json()";

/** The service as one HTTP endpoint. Passes paths below the one that it is mounted on to the next handler. */
export function createHttpHandler(service: AnsweringService, options: HttpOptions = {}): HttpHandler {
  checkTransport(service.descriptor, "http");
  const { bodyTimeoutMs, unfinishedBytes, unreadBytes } = checkOptions(options);
  const unread = createUnreadAnswers(unreadBytes);
  const limits: TimedBodyLimits = {
    bytesMax: service.messageBytesMax,
    timeoutMs: bodyTimeoutMs,
    room: createBodyRoom(unfinishedBytes),
  };

  async function answer(request: MountedRequest, response: ServerResponse): Promise<void> {
    const { faults } = service.descriptor;
    const refuse = (fault: keyof typeof faults, error: HttpError): void =>
      sendHttpError(response, faults[fault], error);
    if (isBodyRead(request)) {
      service.report(new Error(bodyReadMessage));
      refuse("internalError", { status: 500, reason: "body-already-read" });
      return;
    }
    const refused = checkRequest(request);
    if (refused !== undefined) {
      // Discards the rest of the body, so that the caller can read the error.
      request.resume();
      refuse("invalidRequest", refused);
      return;
    }
    const body = await readBody(request, limits);
    if (body === "aborted") return;
    if (body === "too-large") refuse("tooLarge", closing(413, "message-too-large"));
    else if (body === "too-slow") refuse("invalidRequest", closing(408, "body-too-slow"));
    else if (body === "no-room") refuse("unavailable", closing(503, "overloaded"));
    else {
      const peer = { transport: "http", evidence: evidenceOf(request, body) } as const;
      const session = service.open(peer);
      response.once("close", () => {
        if (!response.writableFinished) session.leave();
      });
      sendAnswer(response, await session.answer(body), unread);
    }
  }

  return (request, response, next) => {
    if (isBelowMount(request)) {
      if (next === undefined) response.writeHead(404).end();
      else next();
    } else if (request.method === "OPTIONS") {
      request.resume();
      response.writeHead(204, allowed).end();
    } else {
      answer(request, response).catch((error: unknown) => {
        service.report(error);
        response.destroy();
      });
    }
  };
}

/** @throws RangeError where a limit is not positive. */
function checkOptions(options: HttpOptions): Required<HttpOptions> {
  const checked = {
    bodyTimeoutMs: 30_000,
    unfinishedBytes: 64 * 1024 * 1024,
    unreadBytes: 64 * 1024 * 1024,
    ...omitUndefined(options),
  };
  for (const [name, value] of Object.entries(checked))
    if (!(value > 0)) throw new RangeError(`http: ${name} is ${value}: give a positive number`);
  return checked;
}

function closing(status: number, reason: string): HttpError {
  return { status, reason, headers: { Connection: "close" } };
}

/** Why a request is refused before its body is read. */
export interface HttpError {
  readonly status: number;
  readonly reason: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export const allowed = { Allow: "OPTIONS, POST" };

/** The media types of a message; `application/json-rpc` is what older clients send. */
const mediaTypes: ReadonlySet<string> = new Set([
  "application/json",
  "application/json-rpc",
  "application/jsonrequest",
]);

export function checkRequest(request: IncomingMessage): HttpError | undefined {
  if (request.method !== "POST") return { status: 405, reason: "http-method", headers: allowed };
  const encoding = request.headers["content-encoding"] ?? "identity";
  if (encoding.trim().toLowerCase() !== "identity")
    return { status: 415, reason: "content-encoding", headers: { "Accept-Encoding": "identity" } };
  if (!isJson(request.headers["content-type"]))
    return { status: 415, reason: "content-type", headers: { "Accept-Post": "application/json" } };
  return undefined;
}

/** JSON in UTF-8. Pages of other origins cannot send it without being asked first, so a missing type is none. */
function isJson(contentType = ""): boolean {
  const [type = "", ...parameters] = contentType.toLowerCase().split(";");
  if (!mediaTypes.has(type.trim())) return false;
  return parameters.every((parameter) => {
    const [name = "", value = ""] = parameter.split("=");
    return name.trim() !== "charset" || /^\s*"?utf-?8"?\s*$/.test(value);
  });
}

/** Express keeps what it has cut off from `url`. */
export interface MountedRequest extends IncomingMessage {
  readonly originalUrl?: string;
  readonly baseUrl?: string;
}

/** The evidence that authentication schemes read in a request or a handshake. */
export function evidenceOf(request: MountedRequest, body: Buffer): Evidence {
  const { remoteAddress } = request.socket;
  return {
    body,
    header: (name) => request.headersDistinct[name] ?? [],
    httpMethod: request.method ?? "",
    target: request.originalUrl ?? request.url ?? "",
    ...omitUndefined({ peerAddress: remoteAddress }),
  };
}

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

/** Whether `app.use` has passed a request for a longer path than the one mounted. */
export function isBelowMount({ baseUrl = "", url = "" }: Pick<MountedRequest, "baseUrl" | "url">): boolean {
  return baseUrl !== "" && url !== "" && url !== "/" && !url.startsWith("/?");
}
