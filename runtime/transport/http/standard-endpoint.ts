import type { ServerResponse } from "node:http";
import type { Evidence } from "../../auth/port.ts";
import { type JsonRpcInterfaceDescriptor, omitUndefined } from "../../contract/index.ts";
import { refuse } from "../../protocol/port.ts";
import {
  type Answer,
  type ServedInterface,
  type AnyHandlers,
  type OptionsFor,
  type ServiceOptions,
  checkTransport,
  startService,
} from "../../service/index.ts";
import { createBodyRoom, createUnreadAnswers } from "./bodies.ts";
import {
  type HttpHandler,
  type MountedRequest,
  type Sent,
  type Unreceived,
  mounted,
  receive,
  send,
  whenLeft,
} from "./endpoint.ts";

export { serve, type ServeOptions, type ServedApp } from "./serve.ts";

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

/** Options of `rpc` beside the interface and its handlers. */
export interface RpcOptions extends ServiceOptions {
  readonly http?: HttpOptions;
}

/**
 * An interface as a request handler for any Express app:
 * `app.use("/rpc", rpc(tasksInterface, handlers, { auth, context, store }))`.
 *
 * Mount it before body parsers: some authentication schemes cover the bytes as they were sent. After one, every call is
 * answered with HTTP 500 and the reason `body-already-read`.
 * @throws Error where a handler or a verifier is missing, or the generated code is newer than this runtime.
 */
export function rpc<Descriptor extends JsonRpcInterfaceDescriptor, Handlers extends AnyHandlers<Handlers>>(
  descriptor: Descriptor,
  handlers: Handlers,
  ...[options]: OptionsFor<Descriptor, Handlers, RpcOptions>
): HttpHandler {
  return rpcHandler(startService(descriptor, { ...handlers }, options ?? {}), options?.http);
}

const bodyReadMessage =
  "the body was read before the JSON-RPC handler: mount it before body parsers such as express.json()";
const allowed = { Allow: "OPTIONS, POST" };

/** A service that is reached over other transports, too, as one HTTP endpoint. */
export function rpcHandler(service: ServedInterface, options: HttpOptions = {}): HttpHandler {
  checkTransport(service.protocol, "http");
  const { bodyTimeoutMs, unfinishedBytes, unreadBytes } = checkOptions(options);
  const unread = createUnreadAnswers(unreadBytes);
  const intake = {
    bytesMax: service.protocol.messageBytesMax,
    timeoutMs: bodyTimeoutMs,
    room: createBodyRoom(unfinishedBytes),
    isJson,
  };

  async function answer(request: MountedRequest, response: ServerResponse): Promise<void> {
    const body = await receive(request, intake);
    if (body === "aborted") return;
    if (!Buffer.isBuffer(body)) {
      if (body.reason === "body-already-read") service.report(new Error(bodyReadMessage));
      send(response, refusalOf(service, body));
      return;
    }
    const session = service.open({ transport: "http", evidence: evidenceOf(request, body) });
    whenLeft(response, session.leave);
    unread.sent(response, send(response, sentOf(await session.answer(body))));
  }

  return mounted((request, response) => {
    if (request.method === "OPTIONS") {
      request.resume();
      response.writeHead(204, allowed).end();
      return;
    }
    answer(request, response).catch((error: unknown) => {
      service.report(error);
      response.destroy();
    });
  });
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

/** The fault of JSON-RPC closest to each of HTTP, its reason, and the headers that say how to do better. */
const refusals = {
  "http-method": { fault: "invalidRequest", headers: allowed },
  "body-already-read": { fault: "internalError", headers: {} },
  "content-encoding": { fault: "invalidRequest", headers: { "Accept-Encoding": "identity" } },
  "content-type": { fault: "invalidRequest", headers: { "Accept-Post": "application/json" } },
  "too-large": { fault: "tooLarge", reason: "message-too-large", headers: { Connection: "close" } },
  "too-slow": { fault: "invalidRequest", reason: "body-too-slow", headers: { Connection: "close" } },
  "no-room": { fault: "unavailable", reason: "overloaded", headers: { Connection: "close" } },
} as const;

/** An error of HTTP itself: its status, and the closest error of JSON-RPC as the body. */
function refusalOf(service: ServedInterface, { reason, status }: Unreceived): Sent {
  const { fault, headers, ...own } = refusals[reason];
  const { text } = service.refuse(refuse(fault, { reason: "reason" in own ? own.reason : reason }));
  return { status, headers, body: text };
}

function sentOf({ text, httpStatus, headers }: Answer): Sent {
  return { status: httpStatus, body: text, headers };
}

/** The media types of a message; `application/json-rpc` is what older clients send. */
const mediaTypes: ReadonlySet<string> = new Set([
  "application/json",
  "application/json-rpc",
  "application/jsonrequest",
]);

/** JSON in UTF-8. Pages of other origins cannot send it without a preflight, so a missing type needs no refusal. */
function isJson(contentType = ""): boolean {
  const [type = "", ...parameters] = contentType.toLowerCase().split(";");
  if (!mediaTypes.has(type.trim())) return false;
  return parameters.every((parameter) => {
    const [name = "", value = ""] = parameter.split("=");
    return name.trim() !== "charset" || /^\s*"?utf-?8"?\s*$/.test(value);
  });
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
