import type { Child } from "../shared/dom.ts";
import type { JsonObject } from "../shared/json.ts";
import type { SchemaDocument } from "../shared/schema.ts";
import type { Validate } from "../shared/validator.ts";

/** One operation as the page offers it. */
export interface TriedOperation {
  readonly name: string;
  readonly doc: string;
  /** Names in the JSON Schema: `GetAccountPayload`. */
  readonly type: string;
  /** Payloads of the spec's examples, by their names. */
  readonly examples: readonly { readonly name: string; readonly payload: JsonObject }[];
  /** The codes that it can answer with, and their meanings where the message does not say them. */
  readonly errors: ReadonlyMap<string, string>;
  /** Whether a call may be a notification, which is never answered. */
  readonly notify: "never" | "allowed" | "only";
  /** The permitted callers, in words; empty if the page says it elsewhere. */
  readonly security: string;
}

/** An interface as the page was given it. */
export interface TriedInterface {
  readonly title: string;
  readonly schema: SchemaDocument;
  readonly operations: readonly TriedOperation[];
  /** Whether each call is signed with a key of the caller. */
  readonly isSigned: boolean;
  /** The most calls in one request; 0 where each has its own. */
  readonly batchMax: number;
  validator(operation: TriedOperation, of: "payload" | "result"): Promise<Validate>;
  /** The form that asks who calls; undefined where that does not matter. */
  signIn(ready: (caller: Caller) => void): Child;
}

/** One who calls. */
export interface Caller {
  /** Shown for as long as the credentials are kept. */
  readonly name: string;
  /** The label of the button that forgets them. */
  readonly forget: string;
  /** Removes what is kept of the caller; absent where nothing is. */
  forgotten?(): Promise<void>;
  /** Sends calls as one request, or makes it alone; never rejects. */
  call(calls: readonly TriedCall[], options: { readonly isSent: boolean }): Promise<Attempt>;
}

export interface TriedCall {
  readonly operation: TriedOperation;
  readonly payload: JsonObject;
  readonly isNotification: boolean;
}

/** A request, and its answer. */
export interface Attempt {
  /** The answer; undefined where none came. */
  readonly answered: Answered | undefined;
  /** Why there is no request, or no answer. */
  readonly failure: string;
  /** The answers to the calls that are no notifications, from the JSON of the body. */
  outcomes(value: unknown): readonly Outcome[];
  /** The request, in several ways, by their titles; none where none was made. */
  readonly texts: readonly (readonly [string, string])[];
}

export interface Answered {
  readonly status: number;
  readonly text: string;
  readonly milliseconds: number;
  /** By how much the clock of the browser is ahead of the service's, in seconds; NaN where the service does not say its time. */
  readonly aheadSeconds: number;
}

/** The answer to one call: an error, a result, or why it is invalid. */
export interface Outcome {
  readonly operation: TriedOperation;
  readonly error?: JsonObject;
  readonly result?: unknown;
  readonly problem?: string;
}
