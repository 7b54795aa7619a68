import type { JsonObject } from "./values.ts";

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

/** A declared failure of an operation: an expected answer, not a bug. The text is the spec's. */
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

/** A result, or the `data` of an error, that does not fit the spec. */
export class ContractError extends Error {
  override readonly name = "ContractError";
}

/** A stub throws it until its body is written. The pipeline answers it as the interface's `internal` fault. */
export class UnimplementedError extends Error {
  override readonly name = "UnimplementedError";
}

/** The error of a method that has no body yet. */
export function unimplemented(method: string): UnimplementedError {
  return new UnimplementedError(`${method} has no body yet: write it in its handler file`);
}

/**
 * The context of every handler, whatever the interface. `Code` is the union of the codes its method declares,
 * `FieldPointer` that of the JSON Pointers to the fields of its payload.
 */
export interface HandlerContext<Code extends string, FieldPointer extends string = string> {
  /**
   * Builds a declared failure: `throw context.error("NOT_FOUND", { field: "/id" })`. Undeclared codes
   * and pointers to fields that the payload does not have do not compile.
   */
  error(code: Code, detail?: RpcErrorDetail<FieldPointer>): RpcError<Code>;
}

/** The application's own context, by what a method does to state. `read` handlers get no way to write. */
export interface Contexts {
  readonly read: object;
  readonly write: object;
  /** In a standard interface: who calls, by the name of the authentication scheme. */
  readonly callers?: object;
}

/** The body of one operation: speaks the domain, knows neither HTTP nor SQL. */
export type Handler<
  Payload,
  Result,
  Code extends string,
  Context extends object,
  FieldPointer extends string = string,
> = (payload: Payload, context: HandlerContext<Code, FieldPointer> & Context) => Promise<Result>;

/** A record with this identifier, or this value of a unique field, is there already. Handlers turn it into a code of their method's. */
export class DuplicateRecordError extends Error {
  override readonly name = "DuplicateRecordError";
}

/** A store cannot answer now, and nothing was done: the call is answered as unavailable, with `Retry-After`. */
export class RetryLaterError extends Error {
  override readonly name: string = "RetryLaterError";
  /** The machine word of the answer: `store`, `reads-busy`. */
  readonly word: string;
  readonly retryAfterSeconds: number;

  constructor(
    message: string,
    options: ErrorOptions & { readonly word: string; readonly retryAfterSeconds: number },
  ) {
    super(message, options);
    this.word = options.word;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}
