import type { Change } from "../../diff/index.ts";

/** The name by which generated code imports the functions that people write. */
export const byHandName = "byHand";

/** The expression that a value is converted by; absent where it stays as it is. */
export type Convert = ((value: string) => string) | undefined;

/** A generated function. */
export interface ConverterFunction {
  readonly name: string;
  readonly takes: string;
  readonly gives: string;
  /** Its statements, over `value`. */
  readonly body: string;
}

/** A function that people write, and the changes that ask for it. */
export interface HandWritten {
  readonly name: string;
  readonly takes: string;
  readonly gives: string;
  readonly changes: readonly Change[];
  /** Nothing has to be written: what it would adapt is refused otherwise. */
  readonly isOptional?: true;
  /** For a method that is gone: its whole handler. */
  readonly handler?: {
    readonly method: string;
    readonly errorCodes: readonly string[];
    readonly context: string;
  };
}

/** A conversion as a function that may be handed on: a call of one argument is the function itself. */
export function functionOf(convert: NonNullable<Convert>): string {
  const text = convert("each");
  return /^([\w$.]+)\(each\)$/.exec(text)?.[1] ?? `(each) => ${text}`;
}
