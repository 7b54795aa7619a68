import { ContractError, DuplicateRecordError, RetryLaterError, RpcError } from "../contract/index.ts";
import {
  refuse,
  type DecodedCall,
  type Failure as CallFailure,
  type Protocol,
  type Refused,
  type ServedMethod,
} from "../protocol/port.ts";
import type { Failure } from "./options.ts";

/** The result or error of a call, in the words of the interface. */
export type Outcome = { readonly kind: "result"; print(id: string): string } | FailedOutcome;

export interface FailedOutcome extends CallFailure {
  readonly kind: "failure";
  readonly challenges: readonly string[];
  /** The caller has left before it was known, and nothing was changed. */
  readonly isAbandoned?: true;
}

/** The call that failed, for the report. */
type FailedCall = NonNullable<Parameters<ReportFailure>[1]>;

/** Turns refusals and what was thrown into outcomes. What callers must not learn goes to `report`. */
export function createOutcomes<Method extends ServedMethod, Call extends DecodedCall>(
  protocol: Protocol<Method, Call>,
  report: ReportFailure,
) {
  function refused(refusal: Refused, method?: Method, requestId?: string): FailedOutcome {
    const failure = protocol.failureOf(refusal, method, requestId);
    if (failure === undefined) throw new Error(`${protocol.name} has no error for ${refusal.fault}`);
    return { kind: "failure", ...failure, challenges: refusal.challenges ?? [] };
  }

  function failed(error: unknown, method: Method, of: FailedCall): FailedOutcome {
    report(error, of);
    return refused(refuse("internalError"), method, of.requestId);
  }

  /** A code that the method does not declare is a bug. */
  function declared(error: RpcError, method: Method, of: FailedCall): FailedOutcome {
    try {
      const failure = protocol.failureOf(error, method, of.requestId);
      if (failure === undefined) {
        const reason = `${method.name} threw ${error.code}, which the spec does not declare for it: add it to its errors`;
        return failed(new ContractError(reason, { cause: error }), method, of);
      }
      if (error.detail.cause !== undefined) report(error, of);
      return { kind: "failure", ...failure, challenges: [] };
    } catch (second) {
      return failed(second, method, of);
    }
  }

  function abandoned(method: Method): FailedOutcome {
    return { ...refused(refuse("unavailable", { reason: "abandoned" }), method), isAbandoned: true };
  }

  return {
    refused,
    done: (method: Method, resultText: string): Outcome => ({
      kind: "result",
      print: (id) => protocol.printResponse(method, id, resultText),
    }),
    /** A call that has not begun: it found no place, or its signal has aborted. */
    stopped({ aborted, reason }: AbortSignal, method: Method): FailedOutcome {
      if (!aborted) return refused(refuse("unavailable", { reason: "overloaded", retryAfterS: 1 }), method);
      if (reason instanceof CallerLeft) return abandoned(method);
      return refused(refuse("unavailable", { reason: "timeout" }), method);
    },
    thrown(error: unknown, method: Method, signal: AbortSignal, of: FailedCall): FailedOutcome {
      if (isAbandoned(error, signal)) return abandoned(method);
      if (error instanceof RpcError) return declared(error, method, of);
      const refusal = refusalOf(error);
      if (refusal === undefined) return failed(error, method, of);
      report(error, of);
      return refused(refusal, method);
    },
  };
}

/** A failure that passes, or that another call has caused. */
function refusalOf(error: unknown): Refused | undefined {
  if (error instanceof OutOfTime) return refuse("unavailable", { reason: "timeout" });
  if (error instanceof DuplicateRecordError) return refuse("conflict");
  if (!(error instanceof RetryLaterError)) return undefined;
  return refuse("unavailable", { reason: error.word, retryAfterS: error.retryAfterSeconds });
}

/** The time that one message has: a batch has it as a whole. */
export interface Deadline {
  /** Aborts when the time is over; for a call that changes nothing, also when its caller has left. */
  signalOf(isRead: boolean): AbortSignal;
  /** The caller has left: the answer reaches no one. */
  leave(): void;
  /** Rejects with `OutOfTime` where the work takes longer. The work itself goes on, unawaited. One at a time. */
  within<Result>(work: Promise<Result>): Promise<Result>;
  end(): void;
}

export class OutOfTime extends Error {
  override readonly name = "OutOfTime";
}

export class CallerLeft extends Error {
  override readonly name = "CallerLeft";
}

/** Whether an error came of the caller's leaving: the signal has aborted, and it, `fetch` or the like was thrown. */
export function isAbandoned(error: unknown, { reason }: AbortSignal): boolean {
  const isOfAbort = error === reason || (error instanceof Error && error.name === "AbortError");
  return reason instanceof CallerLeft && isOfAbort;
}

export function startDeadline(timeoutMs: number): Deadline {
  /** Made where they are asked for: most messages need one of them. */
  let ofReads: AbortController | undefined;
  let ofWrites: AbortController | undefined;
  let over: OutOfTime | undefined;
  let left: CallerLeft | undefined;
  /** Who waits. A listener of the signal would cost each call more than all else here. */
  let stop: ((reason: unknown) => void) | undefined;
  const timer = setTimeout(() => {
    over = new OutOfTime(`no answer within ${timeoutMs} ms`);
    ofReads?.abort(over);
    ofWrites?.abort(over);
    stop?.(over);
  }, timeoutMs);

  return {
    signalOf(isRead) {
      const controller = isRead ? (ofReads ??= begin(over ?? left)) : (ofWrites ??= begin(over));
      return controller.signal;
    },
    leave() {
      left = new CallerLeft("the caller has left");
      ofReads?.abort(left);
    },
    within: (work) =>
      new Promise((resolve, reject) => {
        stop = reject;
        if (over !== undefined) reject(over);
        work.then(resolve, reject);
      }),
    end: () => clearTimeout(timer),
  };
}

/** One that has aborted already where there is a reason. */
function begin(reason: Error | undefined): AbortController {
  const controller = new AbortController();
  if (reason !== undefined) controller.abort(reason);
  return controller;
}

export type ReportFailure = (error: unknown, of?: Omit<Failure, "interfaceName" | "error">) => void;

/** Passes failures on; a hook that throws does not change any answer. */
export function createFailureReport(
  interfaceName: string,
  onFailure: (failure: Failure) => void = printFailure,
): ReportFailure {
  return (error, of) => {
    try {
      onFailure({ interfaceName, ...of, error });
    } catch (second) {
      printFailure({ interfaceName, error: second });
    }
  };
}

function printFailure({ interfaceName, method, error }: Failure): void {
  const place = method === undefined ? interfaceName : `${interfaceName}.${method}`;
  process.stderr.write(`${place} failed: ${textOf(error)}\n`);
}

function textOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : "it threw a value that is no Error";
}
