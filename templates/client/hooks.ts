import { type Answer, requestIdOf } from "./answer.ts";
import type { AnyErrorCode, CallError, CallFacts } from "./errors.ts";
import type { Method } from "./method.ts";
import { plainHeaders } from "./plain-headers.ts";

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
  /** What is sent, `"[redacted]"` in place of each value that the interface calls sensitive. */
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
export function hooks({ before, after }: Hooks): Watch {
  return async (method, text, facts, attempt) => {
    const start = { ...facts, payload: redacted(text, method) };
    const startedAt = performance.now();
    const ended = (outcome: Partial<AttemptEnd>) =>
      quietly(() => after?.({ ...start, ...outcome, durationMs: performance.now() - startedAt }));
    try {
      const end = await attempt(quietly(() => plainHeaders({ ...before?.(start) })));
      if (end instanceof Error) ended({ error: end });
      else {
        const { status, envelope, body } = end;
        ended({
          status,
          requestId: requestIdOf(end),
          code: envelope?.error?.code,
          body: redacted(body, method),
        });
      }
      return end;
    } catch (thrown) {
      ended({ error: thrown });
      throw thrown;
    }
  };
}

function redacted(text: string, { sensitive }: Method): unknown {
  return quietly(() =>
    JSON.parse(text, (name, value: unknown) => (sensitive?.includes(name) ? "[redacted]" : value)),
  );
}

/** Runs a hook and ignores what it throws: a failing log does not fail a call. */
function quietly<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
