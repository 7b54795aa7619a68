import {
  DuplicateRecordError,
  omitUndefined,
  RetryLaterError,
  RpcError,
  type JsonValue,
} from "../contract/index.ts";
import { OutOfTime } from "../service/outcome.ts";
import type { Failure } from "../service/options.ts";
import type { Pipeline, RawRequest } from "../service/service.ts";
import type { Tracer } from "../platform/tracer.ts";

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

export interface FailureLog {
  error(fields: object, message: string): void;
}

/**
 * Logs failures under the identifier of their request. The store has logged its own failures, and a taken record is
 * not a failure.
 */
export function failureLog(log: FailureLog): (failure: Failure) => void {
  return ({ method, error, requestId, sent = Buffer.alloc(0) }) => {
    const isExpected = [RpcError, DuplicateRecordError, RetryLaterError].some(
      (kind) => error instanceof kind,
    );
    if (isExpected) return;
    if (error instanceof OutOfTime) log.error({ requestId, method, err: error }, "a call ran out of time");
    else log.error({ requestId, method, failure: shownFailure(error, sent) }, "a call failed unexpectedly");
  };
}

/** An unexpected failure as the log may show it. */
export interface ShownFailure {
  readonly type: string;
  readonly message: string;
  readonly stack?: string;
  readonly cause?: ShownFailure;
}

const causesMax = 4;
/** Shorter values say nothing and occur in every sentence. */
const secretCharactersMin = 4;

/**
 * Describes a failure without the caller's input. The failing code may have put a value of the payload into the text
 * of an error, and payloads are never logged.
 */
export function shownFailure(error: unknown, sent: Uint8Array): ShownFailure {
  const values = sentValues(sent);
  const clean = (text: string) =>
    values.reduce((cleaned, value) => cleaned.replaceAll(value, "[redacted]"), text);
  return shown(error, clean, 0);
}

function shown(error: unknown, clean: (text: string) => string, depth: number): ShownFailure {
  if (!(error instanceof Error)) return { type: typeof error, message: clean(String(error)) };
  const { name, message, stack, cause } = error;
  return omitUndefined({
    type: name,
    message: clean(message),
    stack: stack === undefined ? undefined : clean(stack),
    cause: cause === undefined || depth === causesMax ? undefined : shown(cause, clean, depth + 1),
  });
}

/** Every text and number under `params`, or of a body without any, longest first. */
function sentValues(sent: Uint8Array): readonly string[] {
  const values = new Set<string>();
  const collect = (value: JsonValue | undefined): void => {
    if (typeof value === "string" || typeof value === "number") values.add(String(value));
    else if (typeof value === "object" && value !== null) Object.values(value).forEach(collect);
  };
  try {
    const root: JsonValue = JSON.parse(Buffer.from(sent).toString("utf8"));
    for (const message of Array.isArray(root) ? root : [root]) collect(paramsOf(message));
  } catch {
    return [];
  }
  return [...values]
    .filter((value) => value.length >= secretCharactersMin)
    .toSorted((a, b) => b.length - a.length);
}

function paramsOf(message: JsonValue): JsonValue {
  const hasParams = typeof message === "object" && message !== null && "params" in message;
  return hasParams ? (message.params ?? message) : message;
}
