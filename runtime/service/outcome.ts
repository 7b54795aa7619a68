import {
  omitUndefined,
  RpcError,
  type JsonRpcErrorDescriptor,
  type JsonRpcInterfaceDescriptor,
  type JsonRpcMethodDescriptor,
} from "../contract/index.ts";
import {
  declaredValue,
  printError,
  printResult,
  printValue,
  type RawId,
} from "../protocol/json-rpc/index.ts";
import { StoreBusyError, UnavailableError } from "../store/ports/store-errors.ts";
import { CallerLeft, isAbandoned, OutOfTime } from "./deadline.ts";
import { ContractError, type ReportFailure } from "./failure.ts";
import { callError, type CallError } from "./call-error.ts";
import { violationOf } from "./validate.ts";

/** The result or error of a call, with the codes of the interface. */
export type Outcome = { readonly kind: "result"; readonly resultText: string } | FailedOutcome;

export interface FailedOutcome {
  readonly kind: "error";
  readonly error: JsonRpcErrorDescriptor;
  /** JSON; absent where there is no `data`. */
  readonly dataText?: string;
  readonly challenges: readonly string[];
  /** When to try again, in seconds, if the answer says it: `data.retryAfter` of a call that came too soon. */
  readonly retryAfterS?: number;
  /** The caller has left before it was known, and nothing was changed. */
  readonly isAbandoned?: true;
}

/** Turns results, call errors and thrown errors into outcomes. What callers must not learn goes to `report`. */
// oxlint-disable-next-line max-lines-per-function -- the outcomes of one interface share its faults and plans
export function createOutcomes(
  { faults, errorPlans = {} }: JsonRpcInterfaceDescriptor,
  report: ReportFailure,
) {
  function refused({ fault, data, challenges = [] }: CallError): FailedOutcome {
    const error = faults[fault];
    return data === undefined
      ? { kind: "error", error, challenges }
      : { kind: "error", error, dataText: printValue(data), challenges, ...retryAfterIn(error, data) };
  }

  /** Of the faults that pass: too many calls, and a service that cannot work now. */
  function retryAfterIn({ name }: JsonRpcErrorDescriptor, data: unknown): { readonly retryAfterS?: number } {
    if (name !== faults.rateLimited.name && name !== faults.unavailable.name) return {};
    const given = typeof data === "object" && data !== null && "retryAfter" in data ? data.retryAfter : 0;
    return typeof given === "number" && given > 0 && given <= 86_400 ? { retryAfterS: Math.ceil(given) } : {};
  }

  function failed(error: unknown, method?: JsonRpcMethodDescriptor): FailedOutcome {
    report(error, method?.name);
    return refused(callError("internalError"));
  }

  function declared(method: JsonRpcMethodDescriptor, error: RpcError): FailedOutcome {
    const descriptor = Object.hasOwn(method.errors, error.code) ? method.errors[error.code] : undefined;
    if (descriptor === undefined) {
      const reason = `${method.name} threw ${error.code}, which the spec does not declare for it: add it to its errors`;
      return failed(new ContractError(reason, { cause: error }), method);
    }
    if (error.detail.cause !== undefined) report(error, method.name);
    try {
      const data = dataOf(error);
      const outcome = { kind: "error", error: descriptor, challenges: [] } as const;
      if (data === undefined) return outcome;
      const dataText = printValue(declaredValue(data, errorPlans[descriptor.name]));
      checkData(descriptor, JSON.parse(dataText));
      return { ...outcome, dataText, ...retryAfterIn(descriptor, data) };
    } catch (second) {
      return failed(second, method);
    }
  }

  function abandoned(): FailedOutcome {
    return { kind: "error", error: faults.unavailable, challenges: [], isAbandoned: true };
  }

  return {
    refused,
    /** A call that has not begun: it found no place, or its signal has aborted. */
    stopped({ aborted, reason }: AbortSignal): FailedOutcome {
      if (!aborted) return refused(callError("unavailable", { reason: "overloaded", retryAfter: 1 }));
      if (reason instanceof CallerLeft) return abandoned();
      return refused(callError("unavailable", { reason: "timeout" }));
    },
    done: (resultText: string): Outcome => ({ kind: "result", resultText }),
    thrown(method: JsonRpcMethodDescriptor, error: unknown, signal: AbortSignal): FailedOutcome {
      if (isAbandoned(error, signal)) return abandoned();
      if (error instanceof RpcError) return declared(method, error);
      if (error instanceof UnavailableError || error instanceof StoreBusyError) {
        report(error, method.name);
        return refused(
          callError("unavailable", omitUndefined({ reason: "store", retryAfter: error.retryAfterSeconds })),
        );
      }
      if (!(error instanceof OutOfTime)) return failed(error, method);
      report(error, method.name);
      return refused(callError("unavailable", { reason: "timeout" }));
    },
  };
}

export type Outcomes = ReturnType<typeof createOutcomes>;

/** The response object of an outcome. */
export function printOutcome(id: RawId, outcome: Outcome): string {
  if (outcome.kind === "result") return printResult(id, outcome.resultText);
  const { code, message } = outcome.error;
  return printError(id, { code, message }, outcome.dataText);
}

/** The `data` of a declared error, as its handler gives it. */
function dataOf({ detail }: RpcError): unknown {
  const { data, field, reason } = detail;
  const isPlain = field === undefined && reason === undefined;
  return isPlain ? data : { ...omitUndefined({ field, reason }), ...data };
}

/** @throws ContractError where the data of an error, as it is sent, does not fit the spec. */
function checkData({ name, validateData }: JsonRpcErrorDescriptor, sent: unknown): void {
  if (validateData === undefined || validateData(sent)) return;
  const at = violationOf(validateData);
  throw new ContractError(
    `the data of ${name} does not fit the spec (${JSON.stringify(at)}): correct the handler`,
  );
}
