import type { JsonObject } from "./json.ts";

/** Details of an error beside its code. They are sent to the caller: never put a secret here. */
export interface RpcErrorDetail<FieldPointer extends string = string> {
  /** JSON Pointer (RFC 6901) into the payload. */
  readonly field?: FieldPointer;
  /** A machine word that narrows the code, such as `unknown-method`. */
  readonly reason?: string;
  /** Further members of `error.data`. */
  readonly data?: JsonObject;
  /** The failure behind it: logged under the request id, never sent. */
  readonly cause?: unknown;
}

/** A declared failure of an operation: an expected answer, not a bug. The text is the spec's (D-07). */
export class RpcError<Code extends string = string> extends Error {
  override readonly name = "RpcError";
  readonly code: Code;
  readonly detail: RpcErrorDetail;

  constructor(code: Code, detail: RpcErrorDetail = {}) {
    super(code, detail.cause === undefined ? undefined : { cause: detail.cause });
    this.code = code;
    this.detail = detail;
  }
}

/** A stub throws it until its body is written. The pipeline answers it as the interface's `internal` fault. */
export class UnimplementedError extends Error {
  override readonly name = "UnimplementedError";
}

/** The error of a method that has no body yet. */
export function unimplemented(method: string): UnimplementedError {
  return new UnimplementedError(`${method} has no body yet: write it in its handler file`);
}
