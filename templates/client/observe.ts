import { CallError, type CallFacts } from "./failures.ts";
import { type AnyErrorCode, errorName } from "./interface.ts";
import { plainHeaders } from "./plain-headers.ts";

/** Names in lower case where the client reads them. */
export type HeaderTexts = Readonly<Record<string, string>>;

/** A method as far as every protocol knows it. */
export interface NamedMethod {
  readonly name: string;
  /** Names of fields whose values hooks do not see. */
  readonly sensitive?: readonly string[] | undefined;
}

/** What came back, and to what. */
export interface Came extends Omit<CallFacts, "status" | "requestId"> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/** The last response to a call, whatever the protocol. */
export interface AnyAnswer extends Came {
  readonly envelope: { readonly error?: Failed } | undefined;
}

interface Failed {
  readonly code: AnyErrorCode;
  readonly message?: string;
  readonly data?: { readonly requestId?: string };
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
  /** Why no response came: a `CallError`, what a signer threw, or the reason for which the caller gave up. */
  readonly error?: unknown;
}

/**
 * Called before and after every attempt of every request, for logs, metrics and traces. Each `before` has its `after`,
 * also where a signer fails or the caller gives up. What a hook throws is ignored.
 */
export interface Hooks {
  /** May give headers to send with the attempt, `traceparent` say. */
  before?(attempt: Attempt): HeaderTexts | void;
  after?(attempt: AttemptEnd): void;
}

/** Makes an attempt, with these headers beside its own. */
export type Make<Answer> = (headers?: HeaderTexts) => Promise<Answer | CallError>;

/** Has an attempt made, and is there before and after. */
export type Observe<Method, Answer> = (
  method: Method,
  text: string,
  facts: CallFacts,
  attempt: Make<Answer>,
) => Promise<Answer | CallError>;

/** Makes hooks what a connection takes. */
export function observer<Answer extends AnyAnswer>({ before, after }: Hooks): Observe<NamedMethod, Answer> {
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

/** Names the request in the service's log. */
function requestIdOf({ envelope, headers }: AnyAnswer): string | undefined {
  return envelope?.error?.data?.requestId ?? headers.get("x-request-id") ?? undefined;
}

/** The failure in an answer: the service's error, or that it is no answer to this call. `more` are facts of the error. */
export function failureOf(answer: AnyAnswer, error: Failed | undefined, more?: object): CallError {
  const { body, headers, envelope: _envelope, ...facts } = answer;
  const known = { ...facts, requestId: requestIdOf(answer) };
  if (!error) {
    const text = `${facts.method} got HTTP ${facts.status}, no result`;
    return new CallError("UnreadableResponseError", text, { ...known, body });
  }
  return new CallError(errorName, error.message, {
    ...known,
    retryAfter: headers.get("retry-after"),
    code: error.code,
    ...more,
  });
}

function redacted(text: string, { sensitive }: NamedMethod): unknown {
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
