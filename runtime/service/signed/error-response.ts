import {
  omitUndefined,
  RpcError,
  type ErrorDescriptor,
  type InterfaceDescriptor,
} from "../../contract/index.ts";
import { StoreBusyError, UnavailableError } from "../../store/ports/index.ts";
import { OutOfTime } from "../deadline.ts";
import { describeError, encodeError } from "../../protocol/signed-envelope/encode.ts";
import { reportFailure } from "./failure-report.ts";
import { parseErrorCode, PipelineFault, type FaultFactory } from "../../protocol/signed-envelope/fault.ts";
import type { FailureLog } from "./options.ts";
import type { CallContext } from "./call-context.ts";
import type { RawRequest } from "../../protocol/signed-envelope/raw-exchange.ts";

/** An error as it is answered. */
export interface ErrorResponse {
  readonly status: number;
  readonly body: string;
  readonly code: string;
  readonly reason?: string;
  /** Of an answer that says when to try again. */
  readonly retryAfterSeconds?: number;
}

export interface ErrorResponseOptions {
  readonly interfaceDescriptor: InterfaceDescriptor;
  readonly fault: FaultFactory;
  readonly log: FailureLog;
  /** `errors.httpStatus: mapped` (D-02). */
  readonly mapped: boolean;
}

/**
 * Turns whatever a stage threw into an answer. A code that the method does not declare, and anything that is no
 * `RpcError`, is a bug: answered as the `internal` fault, its cause logged under the request id. A store that cannot
 * work now is the `unavailable` fault.
 */
export type ToErrorResponse = (error: unknown, context: CallContext, request?: RawRequest) => ErrorResponse;

export function createErrorResponse(options: ErrorResponseOptions): ToErrorResponse {
  const { interfaceDescriptor, fault, log } = options;
  const { faults } = interfaceDescriptor;

  return (thrown, context, request) => {
    const known = unavailable(thrown, fault) ?? thrown;
    const [error, descriptor] =
      declared(known, context, interfaceDescriptor) ?? internal(interfaceDescriptor, fault);
    const isInternal = error.code === faults.internal;
    if (thrown instanceof OutOfTime)
      log.error(
        { requestId: request?.requestId, method: context.method?.name, err: thrown },
        "a call ran out of time",
      );
    if (isInternal && request !== undefined) {
      log.error(
        {
          requestId: request.requestId,
          method: context.method?.name,
          failure: reportFailure(thrown, request.body),
        },
        "a call failed unexpectedly",
      );
    }
    const body = encodeError(error, descriptor, context.id, isInternal ? request?.requestId : undefined);
    const { reason } = error.detail;
    return omitUndefined({
      status: statusOf(error, descriptor, options),
      body,
      code: error.code,
      reason,
      retryAfterSeconds:
        thrown instanceof UnavailableError || thrown instanceof StoreBusyError
          ? thrown.retryAfterSeconds
          : undefined,
    });
  };
}

/** `/readyz` and the log give the reason why the store cannot work; callers get the fault, and whether it will be over soon. */
function unavailable(cause: unknown, fault: FaultFactory): RpcError | undefined {
  if (cause instanceof OutOfTime) return fault("unavailable", { reason: "timeout", cause });
  if (cause instanceof StoreBusyError) return fault("unavailable", { reason: "reads-busy", cause });
  if (!(cause instanceof UnavailableError)) return undefined;
  const reason = cause.reason === "database-locked" ? cause.reason : "store";
  return fault("unavailable", { reason, cause });
}

/** The error with its description, where the method declares its code; faults of the pipeline need no declaration. */
function declared(
  error: unknown,
  { method }: CallContext,
  interfaceDescriptor: InterfaceDescriptor,
): readonly [RpcError, ErrorDescriptor] | undefined {
  if (!(error instanceof RpcError)) return undefined;
  const known =
    error instanceof PipelineFault
      ? describeError(interfaceDescriptor, method, error.code)
      : method?.errors[error.code];
  return known === undefined ? undefined : [error, known];
}

function internal(
  interfaceDescriptor: InterfaceDescriptor,
  fault: FaultFactory,
): readonly [RpcError, ErrorDescriptor] {
  const error = fault("internal");
  const descriptor = describeError(interfaceDescriptor, undefined, error.code);
  return [
    error,
    descriptor ?? { code: error.code, message: "Internal error", httpStatus: 500, rpcCode: -32603 },
  ];
}

function statusOf(
  error: RpcError,
  descriptor: ErrorDescriptor,
  { interfaceDescriptor: { faults }, mapped }: ErrorResponseOptions,
): number {
  if (!(error instanceof PipelineFault)) return mapped ? descriptor.httpStatus : 200;
  if (error.code === faults.rateLimited) return 429;
  if (error.code === faults.unavailable) return 503;
  if (error.rpcCode === parseErrorCode) {
    return error.detail.reason === "body-too-large" ? 413 : 400;
  }
  return mapped ? descriptor.httpStatus : 200;
}
