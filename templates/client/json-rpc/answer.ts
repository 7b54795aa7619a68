import { type CallFacts, CallError } from "../failures.ts";
import { isObject, parseJson } from "../json.ts";
import { requestIdOf } from "../observe.ts";
import { readBigints } from "./bigints.ts";
import { errorName } from "./interface.ts";
import type { Id } from "./message.ts";
import type { Method } from "./method.ts";

/** The response to a request, as it came. */
export interface Answer extends Omit<CallFacts, "requestId"> {
  /** HTTP status; 200 where the answer came over a WebSocket. */
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
  /** The answer to the one call of the request, if one came. */
  readonly envelope: Envelope | undefined;
  /** Every answer in the body that is one, those of a batch too. */
  readonly envelopes: readonly Envelope[];
}

/** A response object: a result or an error (JSON-RPC 2.0, section 5). */
export interface Envelope {
  readonly jsonrpc?: string;
  readonly id?: Id | null;
  readonly result?: unknown;
  readonly error?: EnvelopeError;
}

/** The `error` of an answer (section 5.1). */
export interface EnvelopeError {
  readonly code: number;
  readonly message: string;
  readonly data?: { readonly requestId?: string };
}

/** A response as an answer to the calls with these ids, whatever came. */
export function answerOf(
  facts: CallFacts,
  ids: readonly Id[],
  { status, headers }: { readonly status: number; readonly headers: Headers },
  body: string,
): Answer {
  const envelopes = envelopesIn(body);
  const own = envelopes.filter(({ id }) => ids.length > 0 && id === ids[0]);
  const unaddressed = envelopes.find(({ id, error }) => (id ?? null) === null && error);
  // Of two answers with one id, neither is believed.
  const envelope = ids.length === 1 && own.length === 1 ? own[0] : own.length === 0 ? unaddressed : undefined;
  return { ...facts, status, headers, body, envelope, envelopes };
}

/** The answer to one call of a batch; an error without an id, where the service could not tell the calls apart. */
export function envelopeOf({ envelopes }: Answer, id: Id): Envelope | undefined {
  const own = envelopes.filter((envelope) => envelope.id === id);
  if (own.length > 0) return own.length === 1 ? own[0] : undefined;
  return envelopes.find((envelope) => (envelope.id ?? null) === null && envelope.error);
}

/** The result in an answer. Throws a `ServiceError`, or an `UnreadableResponseError` if it is not an answer. */
export function resultOf<Result>(
  { body, headers, envelope: _envelope, envelopes: _envelopes, ...facts }: Answer,
  method: Method,
  envelope: Envelope | undefined,
): Result {
  const requestId = requestIdOf({ envelope, headers });
  const { error } = envelope ?? {};
  if (error) {
    const { code, message, data } = error;
    const retryAfter = headers.get("retry-after");
    throw new CallError(errorName, message, {
      ...facts,
      method: method.name,
      requestId,
      retryAfter,
      code,
      data,
    });
  }
  if (isResult<Result>(envelope) && facts.status >= 200 && facts.status < 300) {
    if (method.bigints) readBigints(envelope, "result", method.bigints);
    return envelope.result;
  }
  const text = `${method.name} got HTTP ${facts.status}, no result`;
  throw new CallError("UnreadableResponseError", text, { ...facts, method: method.name, requestId, body });
}

/** That the result is as documented is the service's promise. */
function isResult<Result>(
  envelope: Envelope | undefined,
): envelope is Envelope & { readonly result: Result } {
  return envelope !== undefined;
}

/** Throws where a request without anything to answer was refused. */
export function checkArrival(answer: Answer, method: Method): void {
  const isRefused = answer.envelope?.error !== undefined;
  if (isRefused || answer.status < 200 || answer.status >= 300) resultOf(answer, method, answer.envelope);
}

function envelopesIn(body: string): readonly Envelope[] {
  try {
    const value = parseJson(body);
    return (Array.isArray(value) ? value : [value]).filter(isEnvelope);
  } catch {
    // A proxy's page, say.
    return [];
  }
}

/** Has a result, or an error with a code; never both. Absent and `null` are one and the same for an error. */
function isEnvelope(value: unknown): value is Envelope {
  if (!isObject<Readonly<Record<string, unknown>>>(value)) return false;
  const { id = null, error = null, method } = value;
  const isId = id === null || typeof id === "string" || typeof id === "number";
  if (!isId || method !== undefined) return false;
  if (error === null) return id !== null && Object.hasOwn(value, "result");
  const { code, message } = Object(error);
  return (value["result"] ?? null) === null && Number.isInteger(code) && typeof message === "string";
}
