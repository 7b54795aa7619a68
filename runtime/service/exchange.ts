import type { Evidence } from "../auth/port.ts";
import { omitUndefined, type ServiceFault } from "../contract/index.ts";
import { refuse, type Protocol } from "../protocol/port.ts";
import type { Tracer } from "../store/ports/system.ts";
import type { Answer } from "./answer-message.ts";
import type { CallReport } from "./options.ts";
import type { ServedInterface } from "./service.ts";

/** A request as the transport hands it over: complete, within the body limit, nothing interpreted. */
export interface RawRequest extends Omit<Evidence, "call"> {
  readonly body: Buffer;
  /** Names the request in logs, in the `X-Request-Id` header and in answers of the `internal` fault. */
  readonly requestId?: string;
  /** Told of what to call where the caller leaves before it has the answer. Absent: nobody knows. */
  readonly whenLeft?: (leave: () => void) => void;
  /**
   * Asked once the caller is known: waits while this user has too many calls at work. Gives false where that takes too
   * long. Absent: the service bounds the calls at work.
   */
  readonly admit?: (userName: string) => boolean | Promise<boolean>;
}

/** The response to a request, before HTTP sends it. */
export interface RawResponse {
  /** HTTP status (D-02). */
  readonly status: number;
  /** JSON text; empty where there is nothing to answer. */
  readonly body: string;
  /** Headers beyond those of every answer: `Retry-After`, `RateLimit-*`, a line for each challenge. */
  readonly headers: Answer["headers"];
  /** The revision that it is in, where several are served (D-46). */
  readonly revision?: string;
  readonly trace: CallTrace;
}

/**
 * The fields of a call that log lines and metrics may show. But for `failedSignIn` it holds nothing that a caller wrote and
 * that was not verified first.
 */
export interface CallTrace extends Pick<
  CallReport,
  "method" | "code" | "reason" | "userName" | "keyId" | "failedSignIn"
> {
  /** The revision that the call was made in, where several are served. */
  readonly revision?: string;
  /** Absent where the call is not traced. */
  readonly traceId?: string;
}

/** One interface, in all its revisions, ready to answer requests. */
export interface Pipeline extends Pick<
  Protocol,
  "name" | "path" | "otherPaths" | "messageBytesMax" | "http"
> {
  /** Own revision, sent in `X-Interface-Revision` where an answer is in no other (D-46). */
  readonly revision: string;
  /** Answers one request. Never rejects. */
  answer(request: RawRequest): Promise<RawResponse>;
  /** The answer to a fault of the transport, before anything was decoded (D-02): in the current revision without a request. */
  refuse(
    fault: ServiceFault,
    status: number,
    reason: string,
    request?: Pick<RawRequest, "header">,
  ): RawResponse;
}

/** A service as HTTP calls it. */
export function pipelineOver(service: ServedInterface): Pipeline {
  const { name, revision, path, messageBytesMax, http, otherPaths } = service.protocol;
  return {
    name,
    revision,
    path,
    messageBytesMax,
    ...omitUndefined({ http, otherPaths }),
    answer: (request) => answerBy(service, request),
    refuse: (fault, status, reason) => refusedBy(service, fault, status, reason),
  };
}

export function refusedBy(
  service: ServedInterface,
  fault: ServiceFault,
  status: number,
  reason: string,
): RawResponse {
  return refusedWith(service.refuse(refuse(fault, { fieldName: "request", reason })), status);
}

export function refusedWith(
  { text = "", refused: trace = { code: "" } }: Answer,
  status: number,
): RawResponse {
  return { status, body: text, headers: {}, trace };
}

/** One request, answered by one revision. */
export async function answerBy(service: ServedInterface, request: RawRequest): Promise<RawResponse> {
  let report: CallReport | undefined;
  const { requestId, admit, whenLeft } = request;
  const session = service.open({
    transport: "http",
    evidence: request,
    onCall: (call) => void (report = call),
    ...omitUndefined({ requestId, admit }),
  });
  whenLeft?.(session.leave);
  const { text = "", httpStatus, headers, refused: wholly } = await session.answer(request.body);
  return { status: httpStatus, body: text, headers, trace: wholly ?? traceOf(report) };
}

function traceOf(report: CallReport | undefined): CallTrace {
  if (report === undefined) return {};
  const { method, userName, keyId, failedSignIn, code, reason } = report;
  return omitUndefined({ method, userName, keyId, failedSignIn, code, reason });
}

/**
 * Makes each answer a span, named after its operation, in the trace that the caller's `traceparent` names. Mistakes
 * of callers do not fail the span; the codes of `failures` do.
 */
export function tracedAnswer(
  tracer: Tracer | undefined,
  { name, failures }: { readonly name: string; readonly failures: readonly string[] },
  answer: Pipeline["answer"],
): Pipeline["answer"] {
  if (tracer === undefined) return answer;
  const attributes = { "rpc.system.name": "jsonrpc", "ledger.interface": name };
  return (request) => {
    const traceParent = joinedHeader(request, "traceparent") ?? null;
    return tracer.span({ name: `${name} call`, kind: "server", traceParent, attributes }, async (span) => {
      const response = await answer(request);
      const { method, code, revision } = response.trace;
      if (method !== undefined) span.rename(method);
      span.set(
        omitUndefined({
          "http.response.status_code": response.status,
          "rpc.response.status_code": code ?? "OK",
          "rpc.method": method,
          "ledger.revision": revision,
        }),
      );
      if (code !== undefined && failures.includes(code)) span.fail(code);
      const { traceId } = span;
      return traceId === undefined ? response : { ...response, trace: { ...response.trace, traceId } };
    });
  };
}

/** The value of a header by its lower-case name; the values of a repeated header joined by `, `. */
export function joinedHeader({ header }: Pick<RawRequest, "header">, name: string): string | undefined {
  const values = header(name);
  return values.length === 0 ? undefined : values.join(", ");
}
