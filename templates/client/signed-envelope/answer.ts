import type { Envelope, EnvelopeError, ResponseLike } from "./response.ts";
import { CallError, type CallFacts } from "./errors.ts";
import { errorName, parseBody } from "./interface.ts";
import { isObject } from "../json.ts";
import type { Method } from "./method.ts";
import { requestIdOf } from "../observe.ts";

/** The last response to a call, as it came. */
export interface Answer extends Omit<CallFacts, "requestId"> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
  /** The body's value, if it is a JSON object that answers this request and no other. */
  readonly envelope: Envelope | undefined;
}

/** A response as an answer, whatever came. */
export function answerOf(
  facts: CallFacts,
  method: Method,
  { status, headers }: ResponseLike,
  body: string,
): Answer {
  let envelope: Envelope | undefined;
  try {
    const value = parseBody(body);
    if (isObject<Envelope>(value) && method.transport.answers(value, facts.id)) envelope = value;
  } catch {
    // A proxy's page, say: the answer has a body and no envelope.
  }
  return { ...facts, status, headers, body, envelope };
}

/** The result in an answer. Throws a `ServiceError`, or an `UnreadableResponseError` if it is not an answer. */
export function resultOf<Result extends object>(answer: Answer, method: Method): Result {
  const { envelope, status } = answer;
  const { code, message, data }: Partial<EnvelopeError> = envelope?.error ?? {};
  const isError = typeof code === "string";
  const result = envelope && !isError && status === 200 && method.transport.result(envelope);
  if (isObject<Result>(result)) return result;
  const { body, headers, envelope: _envelope, ...facts } = answer;
  const requestId = requestIdOf(answer);
  if (!isError) {
    const text = `${method.name} got HTTP ${status}, no result`;
    throw new CallError("UnreadableResponseError", text, { ...facts, requestId, body });
  }
  throw new CallError(errorName, message, {
    ...facts,
    requestId,
    retryAfter: headers.get("retry-after"),
    code,
    field: data?.field,
    reason: data?.reason,
    data: { ...data },
  });
}
