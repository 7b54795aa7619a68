import type { RpcError, RpcErrorDetail } from "./rpc-error.ts";

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
