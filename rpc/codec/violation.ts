/** Why a message is not taken as JSON: sent as `data.reason` of a parse error. */
export type Violation =
  | "empty-message"
  | "message-too-large"
  | "encoding"
  | "byte-order-mark"
  | "syntax"
  | "trailing-bytes"
  | "too-deep"
  | "duplicate-key"
  | "forbidden-key"
  | "lone-surrogate"
  | "number-not-finite"
  | "number-inexact";
