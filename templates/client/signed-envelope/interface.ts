import { parseJson } from "../json.ts";

/**
 * The parts that differ between interfaces. Every generated client has its own `interface.ts`. This one stands in for
 * it, so that the modules beside it are compiled, linted and tested here.
 */

/** Reads the body of an answer: `namedCodes` in an interface whose codes are numbers on the wire. */
export const parseBody: typeof parseJson = parseJson;

/** Makes the id of a request: `drawnIds` in an interface that has a pattern for them. */
export const newId = (_method: { readonly name: string }): string => crypto.randomUUID();

/** Path of the endpoint, appended to the base URL. */
export const path = "/jsonrpc";

/** Headers of every request: the interface's revision, too. */
export const ownHeaders = { "content-type": "application/json", "x-interface-revision": "1.0.0" };

/** Codes with which the service asks the caller to try again later. */
export const temporaryCodes: readonly unknown[] = ["RATE_LIMITED", "UNAVAILABLE"];

/** The `name` of errors that the service answers with. */
export const errorName = "ServiceError";

/** Name of the member that marks the errors of this package. */
export const errorMark = "service-client";

/** Every code of the interface. */
export type ErrorCode = "BAD_INPUT" | "RATE_LIMITED" | "UNAVAILABLE";

/** A code of this interface, or one that a newer service knows. */
export type AnyErrorCode = ErrorCode | (string & {});

/** What an error carries. */
export type ErrorData = Readonly<Record<string, unknown>>;

/** The `data` of an error that has none. */
export const noErrorData: ErrorData = {};
