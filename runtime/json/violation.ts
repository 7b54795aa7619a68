/** The ways in which a text is not acceptable JSON. */
export type Violation =
  | "empty"
  | "too-large"
  | "encoding"
  | "byte-order-mark"
  | "syntax"
  | "trailing-bytes"
  | "too-deep"
  | "duplicate-key"
  | "forbidden-key"
  | "lone-surrogate"
  | "string-too-long"
  | "array-too-long"
  | "number-not-finite"
  | "number-inexact";
