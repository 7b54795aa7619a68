import type { Diagnostic } from "./diagnostic.ts";

/**
 * The result of every stage: a value, or diagnostics that say why there is none, or both (a value with warnings).
 * A thrown exception is a bug, never a mistake in a spec.
 */
export interface Result<T> {
  readonly value?: T;
  readonly diagnostics: readonly Diagnostic[];
}
