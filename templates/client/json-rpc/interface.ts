/**
 * The parts that differ between interfaces of JSON-RPC 2.0. Every generated client has its own `interface.ts`. This
 * one stands in for it, so that the modules beside it are compiled, linted and tested here.
 */

/** The `name` of errors that the service answers with. */
export const errorName = "ServiceError";

/** Every code of the interface. */
export type ErrorCode = -32600 | -32093 | -32094;

/** A code of this interface, or one that a newer service knows. */
export type AnyErrorCode = ErrorCode | (number & {});

/** What an error carries. */
export type ErrorData = unknown;

/** The `data` of an error that has none. */
export const noErrorData: ErrorData = undefined;

/** The code that asks the caller to come again later: nothing has been done. */
export const rateLimitedCode: number = -32093;

/** Codes after which a call may be sent again where that is safe. */
export const temporaryCodes: readonly unknown[] = [-32093, -32094];

/** The most calls of a batch; 0 where the interface has no batches. */
export const batchMax: number = 50;

/** Headers of every request. */
export const ownHeaders = { "content-type": "application/json" };
