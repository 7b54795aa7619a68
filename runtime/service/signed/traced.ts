import { omitUndefined, type InterfaceDescriptor } from "../../contract/index.ts";
import type { Tracer } from "../../store/ports/index.ts";
import type { RawRequest, RawResponse } from "../../protocol/signed-envelope/raw-exchange.ts";

type Answer = (request: RawRequest) => Promise<RawResponse>;

/** Wraps the stages of a pipeline so that each is a span; gives them back as they are where tracing is off. */
export function tracedStage(tracer: Tracer | undefined) {
  return <Given extends readonly unknown[], Outcome>(
    name: string,
    stage: (...given: Given) => Outcome,
  ): ((...given: Given) => Outcome) =>
    tracer === undefined ? stage : (...given) => tracer.span({ name }, () => stage(...given));
}

/**
 * Makes each answer a span, named after its operation, in the trace that the caller's `traceparent` names. What callers do
 * wrong does not fail the span; `INTERNAL` and `UNAVAILABLE` do.
 */
export function tracedAnswer(
  tracer: Tracer | undefined,
  { name, faults }: InterfaceDescriptor,
  answer: Answer,
): Answer {
  if (tracer === undefined) return answer;
  const failures = new Set([faults.internal, faults.unavailable]);
  const attributes = { "rpc.system.name": "jsonrpc", "ledger.interface": name };
  return (request) => {
    const traceParent = request.header("traceparent") ?? null;
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
      if (code !== undefined && failures.has(code)) span.fail(code);
      const { traceId } = span;
      return traceId === undefined ? response : { ...response, trace: { ...response.trace, traceId } };
    });
  };
}
