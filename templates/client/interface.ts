/**
 * The part of an interface that modules of both protocols read. Every generated client has an `interface.ts` of its own; this
 * one stands in for it, so that the modules beside it are compiled, linted and tested where they are.
 */

/** Name of the member that marks the errors of this package. */
export const errorMark = "service-client";
