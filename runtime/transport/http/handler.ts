import type { ServerResponse } from "node:http";
import {
  createBodyRoom,
  createUnreadAnswers,
  isBelowMount,
  isBodyRead,
  readBody,
  type TimedBodyLimits,
} from "../connections/index.ts";
import { omitUndefined } from "../../contract/index.ts";
import { checkTransport, type AnsweringService } from "../../service/index.ts";
import { allowed, checkRequest, type HttpError } from "./check-request.ts";
import { evidenceOf, type MountedRequest } from "./evidence.ts";
import { sendHttpError, sendAnswer } from "./send.ts";

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
