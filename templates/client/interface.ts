/**
 * The part of an interface that modules of both protocols read. Every generated client has its own `interface.ts`.
 * This one stands in for it, so that the modules beside it are compiled, linted and tested here.
 */

/** Name of the member that marks the errors of this package. */
export const errorMark = "service-client";
