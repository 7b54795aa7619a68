import type { Answer } from "./answer.ts";
import type { AnyErrorCode, CallError, CallFacts } from "./errors.ts";
import type { Method } from "./method.ts";
import { observer } from "../observe.ts";

/**
 * Called before and after every attempt of every call, for logs, metrics and traces. Each `before` has its `after`, also
 * where the signer fails or the caller gives up. What a hook throws is ignored.
 */
export interface Hooks {
  /** May give headers to send with the attempt, `traceparent` say. */
  before?(attempt: Attempt): Readonly<Record<string, string>> | void;
  after?(attempt: AttemptEnd): void;
}

/** One sending of a request. */
export interface Attempt extends CallFacts {
  /** The payload, with `"[redacted]"` in place of each value that the interface calls sensitive. */
  readonly payload: unknown;
}

/** How an attempt ended. */
export interface AttemptEnd extends Attempt {
  readonly durationMs: number;
  /** Code of the service's error; absent on success and where no answer came. */
  readonly code?: AnyErrorCode | undefined;
  /** The body that came, redacted as the payload is; undefined if none came that is JSON. */
  readonly body?: unknown;
  /** Why no response came: a `CallError`, what the signer threw, or the reason for which the caller gave up. */
  readonly error?: unknown;
}

/** Makes an attempt, with these headers beside its own. */
export type MakeAttempt = (headers?: Readonly<Record<string, string>>) => Promise<Answer | CallError>;

/** Has an attempt made, and is there before and after. */
export type Watch = (
  method: Method,
  text: string,
  facts: CallFacts,
  attempt: MakeAttempt,
) => Promise<Answer | CallError>;

/** Makes hooks what `connect` takes. */
export const hooks: (given: Hooks) => Watch = observer<CallFacts, AnyErrorCode, Answer>;
