import type { Span } from "./source/index.ts";

/** A value and where it is written. */
export interface Located<T> {
  readonly value: T;
  readonly span: Span;
}

export type Name = Located<string>;

/** The common keys. `span` is that of the name or the key. */
export interface DocumentedSpec {
  readonly doc: string;
  readonly section?: string;
  readonly decisions: readonly string[];
  readonly since?: Located<string>;
  readonly deprecated?: string;
  /** The name in generated code, if it is not made from the item's own. */
  readonly codeName?: Name;
  /** The `x-…` keys, as plain JSON. */
  readonly extensions?: Readonly<Record<string, unknown>>;
  readonly span: Span;
}
