import type { Span } from "../source/index.ts";

export type Severity = "error" | "warning" | "info";

/** One finding about a spec or about the files around it. `code` is a key of `codes`. */
export interface Diagnostic {
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  readonly span?: Span;
  /** For findings about a file that is not a spec file (a handler, a generated file). */
  readonly path?: string;
  /** The remedy, such as `did you mean \`Beneficiary\`?`. */
  readonly hint?: string;
  /** Another place that has to do with it, such as the first of two definitions. */
  readonly related?: { readonly span: Span; readonly message: string };
}
