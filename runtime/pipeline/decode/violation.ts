/** The ways in which a body is not acceptable JSON (D-10): sent as `data.reason`. */
export type Violation =
  | "empty-body"
  | "body-too-large"
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
  | "number-not-finite";
