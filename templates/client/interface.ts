/**
 * The part of an interface that modules of both protocols read. Every generated client has its own `interface.ts`.
 * This one stands in for it, so that the modules beside it are compiled, linted and tested here.
 */

/** The `name` of errors that the service answers with. */
export const errorName = "ServiceError";

/** Name of the member that marks the errors of this package. */
export const errorMark = "service-client";

/** Codes with which the service asks the caller to try again later. */
export const temporaryCodes: readonly unknown[] = ["RATE_LIMITED", "UNAVAILABLE", -32093, -32094];

/** Every code of the interface. */
export type ErrorCode = "BAD_INPUT" | -32602;

/** A code of this interface, or one that a newer service knows. */
export type AnyErrorCode = ErrorCode | (string & {}) | (number & {});

/** What an error carries. */
export type ErrorData = unknown;

/** The `data` of an error that has none. */
export const noErrorData: ErrorData = undefined;

/** Headers of every request. */
export const ownHeaders = { "content-type": "application/json" };
