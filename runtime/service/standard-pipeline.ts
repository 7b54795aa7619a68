import { omitUndefined, type JsonRpcInterfaceDescriptor } from "../contract/index.ts";
import type { Evidence } from "../auth/port.ts";
import { printError, printValue } from "../protocol/json-rpc/index.ts";
import type { RawRequest, RawResponse } from "../protocol/signed-envelope/raw-exchange.ts";
import { ContractError } from "./failure.ts";
import type { AnyHandler, CallReport, Failure, ServiceOptions } from "./options.ts";
import { startService } from "./service.ts";
import type { Pipeline } from "./signed/pipeline.ts";
import type { FailureLog } from "./signed/options.ts";

export interface StandardPipelineOptions extends Omit<ServiceOptions, "onFailure" | "onCall"> {
  readonly descriptor: JsonRpcInterfaceDescriptor;
  readonly handlers: Readonly<Record<string, AnyHandler>>;
  /** Where failures go that callers do not learn of. A pino logger fits. */
  readonly log: FailureLog;
}

/**
 * A standard interface on the engine's ports: its calls are counted, logged and bounded as those of signed interfaces are.
 * @throws Error where a handler or a verifier is missing, or the generated code is newer than this runtime.
 */
export function createStandardPipeline(options: StandardPipelineOptions): Pipeline {
  const { descriptor, handlers, log, ...rest } = options;
  const service = startService(descriptor, handlers, {
    ...rest,
    onFailure: (failure) => log.error(shownFailure(failure), "a call failed unexpectedly"),
  });
  return {
    name: descriptor.name,
    revision: descriptor.revision,
    path: descriptor.path,
    async answer(request) {
      let report: CallReport | undefined;
      const onCall = (call: CallReport): void => void (report = call);
      const session = service.open({ transport: "http", evidence: evidenceOf(request), onCall });
      request.whenLeft?.(session.leave);
      const { text = "", httpStatus, challenges, retryAfterS } = await session.answer(request.body);
      const headers = omitUndefined({
        "WWW-Authenticate": challenges.length === 0 ? undefined : challenges.join(", "),
        "Retry-After": retryAfterS === undefined ? undefined : String(retryAfterS),
      });
      return { status: httpStatus, body: text, headers, trace: traceOf(report) };
    },
    refuse(fault, status, reason) {
      const { faults } = descriptor;
      const named =
        { internal: faults.internalError, unavailable: faults.unavailable }[String(fault)] ??
        faults.invalidRequest;
      const body = printError("null", named, printValue({ reason }));
      return { status, body, headers: {}, trace: { code: named.name, reason } };
    },
  };
}

function traceOf(report: CallReport | undefined): RawResponse["trace"] {
  const code = report === undefined || report.outcome === "ok" ? undefined : report.outcome;
  return omitUndefined({ method: report?.method, code });
}

function evidenceOf({ body, httpMethod, target, header, peerAddress }: RawRequest): Evidence {
  const valuesOf = (name: string): readonly string[] => {
    const value = header(name);
    return value === undefined ? [] : [value];
  };
  return { body, httpMethod, target, header: valuesOf, ...omitUndefined({ peerAddress }) };
}

/** Without the text of errors, which may hold what a caller sent: but for that of a value that does not fit the spec. */
function shownFailure({ method, error }: Failure): object {
  if (error instanceof ContractError)
    return { method, failure: { type: error.name, message: error.message } };
  if (!(error instanceof Error)) return { method, failure: { type: typeof error } };
  const frames = error.stack?.split("\n").filter((line) => /^\s+at /.test(line));
  return { method, failure: { type: error.name, frames } };
}
