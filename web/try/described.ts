import type { JsonObject } from "../shared/json.ts";
import type { TriedOperation } from "./tried.ts";

/** A standard interface as `try.json` describes it: the parts of its model that calling needs. */
export interface Described {
  readonly title: string;
  readonly path: string;
  readonly client: { readonly factory: string; readonly package: string };
  /** The most calls in one request; 0 where it has no batches. */
  readonly batchMax: number;
  readonly schemes: Readonly<Record<string, DescribedScheme>>;
  readonly methods: readonly DescribedMethod[];
}

/** An authentication scheme: its kind, and the options that the spec gives it. */
export type DescribedScheme = JsonObject & { readonly kind: string };

export interface DescribedMethod extends Omit<TriedOperation, "errors"> {
  readonly errors: readonly (readonly [string, string])[];
  /** Alternatives, of which one holds: schemes with the scopes that they have to grant. */
  readonly alternatives: readonly Readonly<Record<string, readonly string[]>>[];
}
