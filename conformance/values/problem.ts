import type { FieldShape } from "../suite/shape.ts";

export type ProblemKind =
  | "absent"
  | "empty"
  | "type"
  | "value"
  | "format"
  | "length"
  | "pattern"
  | "range"
  | "items"
  | "repeated"
  | "group"
  | "form"
  | "alternative"
  | "surplus";

/** One way in which a value does not fit its shape. */
export interface Problem {
  /** JSON Pointer. */
  readonly at: string;
  readonly kind: ProblemKind;
  /** The expected value. */
  readonly expected: string;
  readonly found: unknown;
  /** Names or values that fit in its place, where there is a list of them. */
  readonly known?: readonly string[];
  /** The nearest field around it. */
  readonly field?: FieldShape;
  /** For a second spelling that is missing or differs: the name that the field has besides. */
  readonly spellingOf?: string;
}
