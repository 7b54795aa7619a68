import type { End } from "../exchange.ts";
import { isObject, parseJson } from "../json.ts";
import { type AnyAnswer, type Came, failureOf } from "../observe.ts";
import { readBigints } from "./bigints.ts";
import { rateLimitedCode } from "./interface.ts";
import type { Id } from "./message.ts";
import type { Method } from "./method.ts";

/** The response to a request, as it came; over a WebSocket, its status is 200. */
export interface Answer extends AnyAnswer {
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
export function answerOf(came: Came, ids: readonly Id[]): Answer {
  const envelopes = envelopesIn(came.body);
  const own = envelopes.filter(({ id }) => ids.length > 0 && id === ids[0]);
  const unaddressed = envelopes.find(({ id, error }) => (id ?? null) === null && error);
  // Of two answers with one id, neither is believed.
  const envelope = ids.length === 1 && own.length === 1 ? own[0] : own.length === 0 ? unaddressed : undefined;
  return { ...came, envelope, envelopes };
}

/** The answer to one call of a batch; an error without an id, where the service could not tell the calls apart. */
export function envelopeOf({ envelopes }: Answer, id: Id): Envelope | undefined {
  const own = envelopes.filter((envelope) => envelope.id === id);
  if (own.length > 0) return own.length === 1 ? own[0] : undefined;
  return envelopes.find((envelope) => (envelope.id ?? null) === null && envelope.error);
}

/** The result in an answer. Throws a `ServiceError`, or an `UnreadableResponseError` if it is not an answer. */
export function resultOf<Result>(
  { envelopes: _envelopes, ...answer }: Answer,
  method: Method,
  envelope: Envelope | undefined,
): Result {
  const { status } = answer;
  if (!envelope?.error && isResult<Result>(envelope) && status >= 200 && status < 300) {
    if (method.bigints) readBigints(envelope, "result", method.bigints);
    return envelope.result;
  }
  const own = { ...answer, method: method.name, envelope };
  const { data } = envelope?.error ?? {};
  throw failureOf(own, envelope?.error, {
    field: textIn(data, "field"),
    reason: textIn(data, "reason"),
    data,
  });
}

function textIn(data: unknown, name: string): string | undefined {
  const value: unknown = Object(data)[name];
  return typeof value === "string" ? value : undefined;
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

/** Whether the service says that it has not begun. */
export function isUndone({ envelope, status }: End): boolean {
  return envelope?.error?.code === rateLimitedCode || status === 429;
}
