import type { IncomingMessage, ServerResponse } from "node:http";
import type { Evidence } from "../../auth/port.ts";
import { omitUndefined, type JsonRpcInterfaceDescriptor } from "../../contract/index.ts";
import type { HttpFault, HttpRules } from "../../protocol/port.ts";
import {
  checkTransport,
  startService,
  type AnyHandlers,
  type OptionsFor,
  type ServedInterface,
  type ServiceOptions,
} from "../../service/index.ts";
import { pipelineOver, type Pipeline, type RawRequest, type RawResponse } from "../../service/service.ts";
import {
  type BodyRoom,
  type UnreadAnswers,
  createBodyRoom,
  createUnreadAnswers,
  isBodyRead,
  readBody,
} from "./bodies.ts";
import type { CallConnections } from "./gate.ts";

export { serve, type ServeOptions, type ServedApp } from "./server.ts";

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

/** A service that is reached over other transports, too, as one HTTP endpoint. */
export function rpcHandler(service: ServedInterface, options: HttpOptions = {}): HttpHandler {
  checkTransport(service.protocol, "http");
  const { bodyTimeoutMs, unfinishedBytes, unreadBytes } = checkOptions(options);
  return mounted(
    createEndpoint(pipelineOver(service), {
      bodies: createBodyRoom(unfinishedBytes),
      unread: createUnreadAnswers(unreadBytes),
      bodyTimeoutMs,
      log: {
        answered() {},
        unanswered() {},
        failed: (_kind, { err }, message) => service.report(err ?? new Error(message)),
      },
    }),
  );
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

/** Answers a request of a server; `target` is its request target as it was sent. */
export type Endpoint = (request: MountedRequest, response: ServerResponse, target: string) => void;

/** An endpoint as a handler. Passes paths below the one that it is mounted on to the next handler. */
export function mounted(endpoint: Endpoint): HttpHandler {
  return (request, response, next) => {
    if (!isBelowMount(request)) endpoint(request, response, targetOf(request));
    else if (next === undefined) response.writeHead(404).end();
    else next();
  };
}

/** Whether `app.use` has passed a request for a longer path than the one mounted. */
function isBelowMount({ baseUrl = "", url = "" }: MountedRequest): boolean {
  return baseUrl !== "" && url !== "" && url !== "/" && !url.startsWith("/?");
}

function targetOf({ originalUrl, url = "" }: MountedRequest): string {
  return originalUrl ?? url;
}

/** What the endpoints of a process or a port share. */
export interface EndpointParts {
  /** Counts the bytes of unfinished bodies. */
  readonly bodies: BodyRoom;
  readonly unread: UnreadAnswers;
  readonly log: AnswerLog;
  /** Longest time until a body is whole. Default: what the server allows. */
  readonly bodyTimeoutMs?: number;
  /** Bounds the calls at work over several endpoints. Default: the service bounds its own. */
  readonly admission?: CallAdmission;
  /** What the server knows of its connections. Default: nothing. */
  readonly connections?: CallConnections;
  /** Names a request without `X-Request-Id`. Absent: answers name neither their request nor their revision. */
  readonly newRequestId?: () => string;
}

/** Bounds the calls at work, and answers those that there is no room for. */
export interface CallAdmission {
  /** Asks for a permit. `overloaded` where that would take too long. */
  enter(pipelined: boolean): Permit | "overloaded" | Promise<Permit | "overloaded">;
  refuse(reason: "overloaded" | "bodies"): RawResponse;
}

/** Allows one call to be worked on. */
export interface Permit {
  /**
   * Says whose call it is, once. A call beyond the user's share gives its permit back and waits for another. Gives
   * false, and the call has no permit, if that takes too long.
   */
  identify(userName: string): boolean | Promise<boolean>;
  /** Gives the permit back. Must follow, also after `identify` gave false. */
  leave(): void;
}

/** Gets what became of each request. */
export interface AnswerLog {
  /** A failed sign-in has the caller's address. */
  answered(answer: LoggedAnswer): void;
  /** A request has no answer: its caller was gone before the whole of it was read. */
  unanswered(requestId: string): void;
  /** A request met a fault of ours: `kind` is what a line of those left out counts it as. */
  failed(kind: string, fields: FailureFields, message: string): void;
}

/** A call that was answered. */
export interface LoggedAnswer {
  readonly requestId: string;
  readonly response: RawResponse;
  /** Since its first byte was read. */
  readonly ms: number;
  /** The caller's, or its proxy's. */
  readonly remoteAddress: string | undefined;
}

interface FailureFields {
  readonly err?: unknown;
  readonly requestId?: string;
  readonly interface?: string;
}

const bodyReadMessage =
  "the body was read before the endpoint: mount it before body parsers such as express.json()";
const untracked: CallConnections = { isPipelined: () => false, isLast: () => false };

/** The endpoint of an interface: reads a message, has it answered, and sends the answer. */
export function createEndpoint(pipeline: Pipeline, parts: EndpointParts): Endpoint {
  const { unread, log, admission, newRequestId, connections = untracked } = parts;
  const rules = { ...jsonRpcRules, ...pipeline.http };
  const refuse = refuseBy(pipeline, rules, parts);
  const intake = intakeOf(pipeline, rules, parts);

  async function responseTo(
    request: IncomingMessage,
    response: ServerResponse,
    target: string,
    requestId: string,
  ): Promise<RawResponse | undefined> {
    const body = await receive(request, intake);
    if (body === "aborted") return undefined;
    if (!Buffer.isBuffer(body)) return refuse(request, requestId, body);
    const call: RawRequest = {
      ...evidenceOf(request, body, target),
      ...(requestId !== "" && { requestId }),
      whenLeft: (leave) => whenLeft(response, leave),
    };
    if (admission === undefined) return pipeline.answer(call);
    const entered = admission.enter(connections.isPipelined(request));
    const permit = entered instanceof Promise ? await entered : entered;
    if (permit === "overloaded") return admission.refuse("overloaded");
    try {
      return await pipeline.answer({ ...call, admit: permit.identify });
    } finally {
      permit.leave();
    }
  }

  async function answer(request: IncomingMessage, response: ServerResponse, target: string): Promise<void> {
    const startedAtMs = performance.now();
    const requestId = newRequestId === undefined ? "" : requestIdFrom(request, newRequestId);
    try {
      const answered = await responseTo(request, response, target, requestId);
      if (answered === undefined) {
        log.unanswered(requestId);
        return;
      }
      if (answered.status === 405) response.setHeader("Allow", rules.allow);
      const isLast = connections.isLast(request);
      const closing = isLast !== false && (await isLast);
      const revision = answered.revision ?? pipeline.revision;
      unread.sent(response, sendResponse(response, answered, { requestId, revision, closing }));
      const { remoteAddress } = request.socket;
      log.answered({ requestId, response: answered, ms: performance.now() - startedAtMs, remoteAddress });
    } catch (error) {
      log.failed("unsent", { requestId, err: error }, "a call could not be answered");
      response.destroy();
    }
  }

  return (request, response, target) => {
    if (request.method === "OPTIONS" && rules.allow.includes("OPTIONS")) {
      request.resume();
      response.writeHead(204, { Allow: rules.allow }).end();
    } else void answer(request, response, target);
  };
}

/** Answers requests that have no message. */
function refuseBy(
  pipeline: Pipeline,
  { refusals }: HttpRules,
  { admission, log }: EndpointParts,
): (request: IncomingMessage, requestId: string, why: Unreceived) => RawResponse {
  return (request, requestId, { reason, status }) => {
    if (reason === "no-room" && admission !== undefined) return admission.refuse("bodies");
    if (reason === "body-already-read")
      log.failed(reason, { requestId, interface: pipeline.name }, bodyReadMessage);
    const { fault, word, headers } = refusals[reason];
    return { ...pipeline.refuse(fault, status, word, { header: headersOf(request) }), headers };
  };
}

/** HTTP as JSON-RPC uses it; the other types are what older clients send. */
const jsonRpcRules: HttpRules = {
  mediaTypes: ["application/json", "application/json-rpc", "application/jsonrequest"],
  allow: "OPTIONS, POST",
  refusals: {
    "http-method": { fault: "invalidRequest", word: "http-method", headers: {} },
    "body-already-read": { fault: "internalError", word: "body-already-read", headers: {} },
    "content-encoding": {
      fault: "invalidRequest",
      word: "content-encoding",
      headers: { "Accept-Encoding": "identity" },
    },
    "content-type": {
      fault: "invalidRequest",
      word: "content-type",
      headers: { "Accept-Post": "application/json" },
    },
    "too-large": { fault: "tooLarge", word: "message-too-large", headers: { Connection: "close" } },
    "too-slow": { fault: "invalidRequest", word: "body-too-slow", headers: { Connection: "close" } },
    "no-room": { fault: "unavailable", word: "overloaded", headers: { Connection: "close" } },
  },
};

/** What is taken as a message, and for how long. */
interface Intake {
  readonly bytesMax: number;
  readonly room: BodyRoom;
  readonly timeoutMs?: number;
  isJson(contentType: string | undefined): boolean;
}

function intakeOf(
  { messageBytesMax: bytesMax }: Pipeline,
  rules: HttpRules,
  { bodies: room, bodyTimeoutMs: timeoutMs }: EndpointParts,
): Intake {
  return { bytesMax, room, isJson: mediaTypeCheck(rules), ...omitUndefined({ timeoutMs }) };
}

const statuses: Readonly<Record<HttpFault, number>> = {
  "http-method": 405,
  "body-already-read": 500,
  "content-encoding": 415,
  "content-type": 415,
  "too-large": 413,
  "too-slow": 408,
  "no-room": 503,
};

/** Why a request has no message. */
interface Unreceived {
  readonly reason: HttpFault;
  readonly status: number;
}

/** The message of a request: its body as it was sent. `aborted`: the caller closed the connection. */
async function receive(request: IncomingMessage, intake: Intake): Promise<Buffer | Unreceived | "aborted"> {
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

function faultOf(request: IncomingMessage, { isJson }: Intake): HttpFault | undefined {
  const { "content-encoding": encoding = "identity", "content-type": type } = request.headers;
  if (request.method !== "POST") return "http-method";
  if (isBodyRead(request)) return "body-already-read";
  if (encoding.trim().toLowerCase() !== "identity") return "content-encoding";
  return isJson(type) ? undefined : "content-type";
}

/** None that announces JSON is longer, by far. */
const charactersMax = 256;

/**
 * Whether a `Content-Type` announces JSON; the charset may only be UTF-8 (RFC 8259 §8.1), other parameters mean nothing. Pages of other origins cannot
 * send it without a preflight, so a missing type needs no refusal.
 */
function mediaTypeCheck({ mediaTypes }: HttpRules): Intake["isJson"] {
  return (contentType = "") => {
    if (contentType === "application/json") return true;
    if (contentType.length > charactersMax) return false;
    const [type = "", ...parameters] = contentType.trim().toLowerCase().split(";");
    if (!mediaTypes.includes(type.trim())) return false;
    return parameters.every((parameter) => {
      const [name = "", value = ""] = parameter.split("=").map((part) => part.trim());
      return name !== "charset" || /^"?utf-?8"?$/.test(value);
    });
  };
}

/** The evidence that authentication schemes read in a request or a handshake. */
export function evidenceOf(request: MountedRequest, body: Buffer, target = targetOf(request)): RawRequest {
  const { remoteAddress } = request.socket;
  return {
    body,
    header: headersOf(request),
    httpMethod: request.method ?? "",
    target,
    ...omitUndefined({ peerAddress: remoteAddress }),
  };
}

/** Every value of a header. Most that are asked for are not there, or once: then Node's second table is not made. */
function headersOf(request: IncomingMessage): Evidence["header"] {
  return (name) => (request.headers[name] === undefined ? [] : (request.headersDistinct[name] ?? []));
}

/** The `Content-Type` of every answer in JSON. */
export const jsonType = "application/json; charset=utf-8";

interface ResponseFrame {
  /** Empty: the answer names neither its request nor its revision. */
  readonly requestId: string;
  readonly revision: string;
  /** Whether the connection is closed after it. */
  readonly closing: boolean;
}

/** Writes a response in one piece. Gives the bytes of its body. */
export function sendResponse(
  response: ServerResponse,
  { status, body, headers }: RawResponse,
  { requestId, revision, closing }: ResponseFrame,
): number {
  const bytes = Buffer.byteLength(body);
  response.writeHead(status, {
    ...(bytes > 0 && { "Content-Type": jsonType, "Content-Length": bytes }),
    "Cache-Control": "no-store",
    ...(bytes > 0 && { "X-Content-Type-Options": "nosniff" }),
    ...(requestId !== "" && { "X-Interface-Revision": revision, "X-Request-Id": requestId }),
    ...(closing && { Connection: "close" }),
    ...headers,
  });
  response.end(body);
  return bytes;
}

/** Calls back where the caller leaves before it has the answer. */
function whenLeft(response: ServerResponse, leave: () => void): void {
  response.once("close", () => {
    if (!response.writableFinished) leave();
  });
}

const sane = /^[A-Za-z0-9._:-]{1,64}$/;

/** The caller's `X-Request-Id`, if it is one that can stand in a log line; else a new one. */
export function requestIdFrom({ headers }: IncomingMessage, create: () => string): string {
  const sent = [headers["x-request-id"] ?? []].flat().join(", ");
  return sane.test(sent) ? sent : create();
}
