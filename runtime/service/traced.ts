import { omitUndefined } from "../contract/index.ts";
import type { Tracer } from "../store/ports/system.ts";
import { isRefused, type Refused } from "../protocol/port.ts";
import type { RawRequest, RawResponse } from "./pipeline/raw-exchange.ts";

type Answer = (request: RawRequest) => Promise<RawResponse>;

/** Makes a stage a span; gives it back as it is where tracing is off. */
export type TracedStage = <Given extends readonly unknown[], Outcome>(
  name: string,
  stage: (...given: Given) => Outcome,
) => (...given: Given) => Outcome;

/** A refusal of a stage fails its span, with the code of the answer. */
export function tracedStage(tracer: Tracer | undefined, codeOf: (refused: Refused) => string): TracedStage {
  return (name, stage) =>
    tracer === undefined
      ? stage
      : (...given) =>
          tracer.span({ name }, (span) => {
            const failIfRefused = (outcome: unknown): void => {
              if (isRefused(outcome)) span.fail(codeOf(outcome));
            };
            const outcome = stage(...given);
            if (outcome instanceof Promise) outcome.then(failIfRefused, () => undefined);
            else failIfRefused(outcome);
            return outcome;
          });
}

/**
 * Makes each answer a span, named after its operation, in the trace that the caller's `traceparent` names. Mistakes
 * of callers do not fail the span; the codes of `failures` do.
 */
export function tracedAnswer(
  tracer: Tracer | undefined,
  { name, failures }: { readonly name: string; readonly failures: readonly string[] },
  answer: Answer,
): Answer {
  if (tracer === undefined) return answer;
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
      if (code !== undefined && failures.includes(code)) span.fail(code);
      const { traceId } = span;
      return traceId === undefined ? response : { ...response, trace: { ...response.trace, traceId } };
    });
  };
}
