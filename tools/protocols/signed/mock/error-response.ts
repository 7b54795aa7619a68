import type { ServiceModel } from "../../../../generator/model/service-model.ts";

/** An error answer of the signed envelope, before its text is looked up. */
export interface ErrorResponse {
  readonly kind: "refused";
  readonly code: string;
  /** JSON Pointer into the payload. */
  readonly field?: string;
  /** The text for `{field}` of the message, where that is not the last part of `field`. */
  readonly fieldName?: string;
  readonly reason?: string;
  /** In place of the integer that the spec gives the code. */
  readonly rpcCode?: number;
  /** HTTP status; 200 if absent (D-02). */
  readonly status?: number;
  /** The id to answer with, where the request could be read no further. */
  readonly id?: string;
}

export function errorResponse(
  code: string,
  detail: Omit<ErrorResponse, "kind" | "code"> = {},
): ErrorResponse {
  return { kind: "refused", code, ...detail };
}

/** The code by which an interface reports a fault that the service itself detects. */
export function faultCode({ faults }: ServiceModel, fault: string): string {
  return faults[fault] ?? fault;
}
