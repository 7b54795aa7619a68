import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { omitUndefined } from "../../contract/index.ts";
import { bodyBytesMax } from "../../protocol/signed-envelope/index.ts";
import type { Pipeline, RawRequest, RawResponse } from "../../service/pipeline/index.ts";
import {
  type Endpoint,
  type HttpHandler,
  type Unreceived,
  mounted,
  receive,
  send,
  whenLeft,
} from "./endpoint.ts";
import type { CallConnections } from "./gate.ts";
import { type WorkLimiter, createWorkLimiter } from "./limiter.ts";
import {
  type CallLog,
  type LoggedAnswer,
  type Overload,
  type RequestLog,
  createOverload,
  createRequestLog,
} from "./log.ts";
import type { AnsweredCall, OverloadReason } from "./metrics.ts";
import { type UnreadAnswers, createUnreadAnswers } from "./bodies.ts";

/** Options of `rpc` beside its pipeline. None is needed. */
export interface RpcOptions {
  /** Gets one line per call, without payload, credential or header, and of strangers 100 a minute. A pino logger fits. Default: no lines. */
  readonly logger?: CallLog;
  /** Gets one report per call. `createMetrics()` fits. Default: no reports. */
  readonly metrics?: CallMetrics;
  /** Bounds the calls at work; share one between the endpoints of a process. Default: one of its own. */
  readonly work?: WorkLimiter;
  /** Refuses calls when there is no room for them. Default: one of its own. */
  readonly overload?: Overload;
  /** Names a request without `X-Request-Id`. Default: a random UUID. */
  readonly newRequestId?: () => string;
  /** What the server knows of its connections. Default: nothing. */
  readonly connections?: CallConnections;
  /** Bounds the answers that callers leave unread. Default: one of its own, 64 MiB. */
  readonly unread?: UnreadAnswers;
}

export interface CallMetrics {
  answered(call: AnsweredCall): void;
  refused(interfaceName: string, reason: OverloadReason): void;
}

const bodyReadMessage =
  "the body was read before rpc(pipeline): mount it before body parsers such as express.json()";
const silent: CallLog = { info() {}, warn() {}, error() {} };
const uncounted: CallMetrics = { answered() {}, refused() {} };
const untracked: CallConnections = { isPipelined: () => false, isLast: () => false };

/**
 * The endpoint of an interface as a request handler for any Express app:
 * `app.post(pipeline.path, rpc(pipeline))` or `app.use("/jsonrpc", rpc(pipeline))`; methods with paths of their own
 * need those of `pipeline.otherPaths` too, each as it is.
 *
 * Mount it before body parsers: signatures cover the bytes as they were sent. After one, every call is answered with
 * HTTP 500 and the reason `body-already-read`. Answers 405 to other methods than POST; passes paths below the one that
 * it is mounted on to the next handler.
 */
export function rpc(pipeline: Pipeline, options: RpcOptions = {}): HttpHandler {
  return mounted(createEndpoint(pipeline, options));
}

interface EndpointOptions extends RpcOptions {
  /** Default: one of its own, by the logger. */
  readonly log?: RequestLog;
}

/** The endpoint of an interface on a server of our own. */
export function createEndpoint(pipeline: Pipeline, options: EndpointOptions = {}): Endpoint {
  const { logger = silent, metrics = uncounted, work = createWorkLimiter() } = options;
  const { newRequestId = randomUUID, connections = untracked, unread = createUnreadAnswers() } = options;
  const { log = createRequestLog({ logger, interfaceName: pipeline.name }) } = options;
  const overload = options.overload ?? createOverload({ pipeline, metrics, logger });
  const record = recordBy(pipeline, { metrics, overload, log });
  const refuse = refuseBy(pipeline, { overload, log });
  const intake = { bytesMax: bodyBytesMax, room: work.bodies, isJson };

  async function responseTo(
    request: IncomingMessage,
    response: ServerResponse,
    target: string,
    requestId: string,
  ): Promise<RawResponse | undefined> {
    const body = await receive(request, intake);
    if (body === "aborted") return undefined;
    if (!Buffer.isBuffer(body)) return refuse(request, requestId, body);
    const entered = work.enter(connections.isPipelined(request));
    const permit = entered instanceof Promise ? await entered : entered;
    if (permit === "overloaded") return overload.refuse("overloaded");
    const call: RawRequest = {
      target,
      body,
      requestId,
      admit: permit.identify,
      whenLeft: (leave) => whenLeft(response, leave),
      httpMethod: request.method ?? "",
      ...omitUndefined({ peerAddress: request.socket.remoteAddress }),
      ...withHeaders(request),
    };
    return pipeline.answer(call).finally(permit.leave);
  }

  async function answer(request: IncomingMessage, response: ServerResponse, target: string): Promise<void> {
    const startedAtMs = performance.now();
    const requestId = requestIdFrom(request, newRequestId);
    try {
      const answered = await responseTo(request, response, target, requestId);
      if (answered === undefined) log.unanswered(requestId);
      else {
        if (answered.status === 405) response.setHeader("Allow", "POST");
        const isLast = connections.isLast(request);
        const closing = answered.status === 413 || (isLast !== false && (await isLast));
        const revision = answered.revision ?? pipeline.revision;
        unread.sent(response, sendResponse(response, answered, { requestId, revision, closing }));
        const { remoteAddress } = request.socket;
        record({ requestId, response: answered, ms: performance.now() - startedAtMs, remoteAddress });
      }
    } catch (error) {
      log.failed("unsent", { requestId, err: error }, "a call could not be answered");
      response.destroy();
    }
  }

  return (request, response, target) => void answer(request, response, target);
}

/** Answers requests that have no message. */
function refuseBy(
  pipeline: Pipeline,
  { overload, log }: { readonly overload: Overload; readonly log: RequestLog },
): (request: IncomingMessage, requestId: string, why: Unreceived) => RawResponse {
  return (request, requestId, { reason, status }) => {
    if (reason === "no-room") return overload.refuse("bodies");
    const isOurs = reason === "body-already-read";
    if (isOurs) log.failed(reason, { requestId, interface: pipeline.name }, bodyReadMessage);
    const said = reason === "too-large" ? "body-too-large" : reason;
    return pipeline.refuse(isOurs ? "internalError" : "invalidRequest", status, said, withHeaders(request));
  };
}

/** Counts and logs answers. Those of overload have one line for many. */
function recordBy(
  { name }: Pipeline,
  {
    metrics,
    overload,
    log,
  }: Required<Pick<RpcOptions, "metrics" | "overload">> & { readonly log: RequestLog },
): (answer: LoggedAnswer) => void {
  return (answer) => {
    metrics.answered({ interfaceName: name, seconds: answer.ms / 1000, ...answer.response.trace });
    if (!overload.noted(answer.response)) log.answered(answer);
  };
}

interface ResponseFrame {
  readonly requestId: string;
  readonly revision: string;
  /** Whether the connection is closed after it. */
  readonly closing: boolean;
}

/** Writes a response in one piece. Gives the bytes of its body. */
export function sendResponse(response: ServerResponse, raw: RawResponse, frame: ResponseFrame): number {
  const { status, body, headers } = raw;
  const own = omitUndefined({
    "X-Interface-Revision": frame.revision,
    "X-Request-Id": frame.requestId,
    Connection: frame.closing ? "close" : undefined,
    ...headers,
  });
  return send(response, { status, body, headers: own });
}

const json = /^application\/json\s*(?:;\s*charset="?utf-8"?\s*)?;?$/i;
/** None that announces JSON is longer, by far. */
const charactersMax = 256;

/** Whether a `Content-Type` announces JSON; the charset may only be UTF-8 (RFC 8259 §8.1). */
function isJson(contentType: string | undefined): boolean {
  if (contentType === "application/json") return true;
  return contentType !== undefined && contentType.length <= charactersMax && json.test(contentType.trim());
}

const sane = /^[A-Za-z0-9._:-]{1,64}$/;

/** The caller's `X-Request-Id`, if it is one that can stand in a log line; else a new one. */
export function requestIdFrom(request: IncomingMessage, create: () => string): string {
  const sent = headerOf(request, "x-request-id");
  return sent !== undefined && sane.test(sent) ? sent : create();
}

/** The value of a header by its lower-case name; the values of a repeated header joined by `, `. */
function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(", ") : value;
}

/** A request as far as its headers go. */
export function withHeaders(request: IncomingMessage): { header(name: string): string | undefined } {
  return { header: (name) => headerOf(request, name) };
}

/** The absolute form that proxies send has a host (RFC 9112 §3.2.2); Express takes a first path segment for one. */
const absoluteForm = /^[a-z][a-z0-9+.-]*:\/\/[^/\\?#]+/i;

/** Why a request target has no path: Express itself would answer with a page of its own, or read another path. */
export function unreadableTarget(url = ""): "url" | "path" | undefined {
  if (url.startsWith("/") || url === "*") return undefined;
  if (!URL.canParse(url)) return "url";
  return absoluteForm.test(url) ? undefined : "path";
}

/** The path of a readable request target, as it was sent: in origin form, or in the absolute form of proxies. */
export function pathOf(url = ""): string {
  const target = url.startsWith("/") ? url : url.replace(absoluteForm, "");
  const end = target.search(/[?#]/);
  const path = end < 0 ? target : target.slice(0, end);
  return path === "" ? "/" : path;
}
