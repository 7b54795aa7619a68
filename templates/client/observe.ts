import type { CallError } from "./failures.ts";
import { plainHeaders } from "./plain-headers.ts";

/** The members of an answer that hooks receive, whatever the protocol. */
export interface Answered<Code> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
  readonly envelope: { readonly error?: Failed<Code> } | undefined;
}

interface Failed<Code> {
  readonly code: Code;
  readonly data?: { readonly requestId?: string };
}

interface Outcome<Code> {
  readonly durationMs: number;
  readonly status?: number;
  readonly requestId?: string | undefined;
  readonly code?: Code | undefined;
  readonly body?: unknown;
  readonly error?: unknown;
}

/** Called before and after every attempt. What either throws is ignored. */
export interface Observer<Facts, Code> {
  before?(start: Facts & { readonly payload: unknown }): Readonly<Record<string, string>> | void;
  after?(end: Facts & { readonly payload: unknown } & Outcome<Code>): void;
}

/** Has an attempt made, with these headers beside its own, and is there before and after. */
export type Observe<Facts, Answer> = (
  method: Redacting,
  text: string,
  facts: Facts,
  attempt: (headers?: Readonly<Record<string, string>>) => Promise<Answer | CallError>,
) => Promise<Answer | CallError>;

interface Redacting {
  readonly sensitive?: readonly string[] | undefined;
}

/** Makes an observer what a connection takes. */
export function observer<Facts, Code, Answer extends Answered<Code>>({
  before,
  after,
}: Observer<Facts, Code>): Observe<Facts, Answer> {
  return async (method, text, facts, attempt) => {
    const start = { ...facts, payload: redacted(text, method) };
    const startedAt = performance.now();
    const ended = (outcome: Omit<Outcome<Code>, "durationMs">) =>
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
export function requestIdOf({
  envelope,
  headers,
}: Pick<Answered<unknown>, "envelope" | "headers">): string | undefined {
  return envelope?.error?.data?.requestId ?? headers.get("x-request-id") ?? undefined;
}

function redacted(text: string, { sensitive }: Redacting): unknown {
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
