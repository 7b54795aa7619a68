import type { Diagnostic } from "./diagnostic.ts";

/**
 * The result of every stage: a value, diagnostics that say why it is missing, or both (a value with warnings). A
 * thrown exception is a bug, never a mistake in a spec.
 */
export interface Result<T> {
  readonly value?: T;
  readonly diagnostics: readonly Diagnostic[];
}
