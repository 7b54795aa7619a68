import type { Printable } from "../../print/layout.ts";
import type { ReadLate } from "./read-late.ts";

/** The context that the printing of a schema depends on. */
export interface ZodContext {
  /** The constant that stands for a `$ref`. */
  nameOf(ref: string): string;
  /** Whether that constant is declared above the one being printed. */
  isDeclared(name: string): boolean;
  /** Which constants are read when a value is there for them. */
  readonly late: ReadLate;
  /** A function of `validators/support.js`. */
  support(name: string): Printable;
  /** A function of ./rule-functions.ts. */
  rule(name: string): Printable;
}
