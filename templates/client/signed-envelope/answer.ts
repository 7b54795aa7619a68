import { isObject } from "../json.ts";
import { type AnyAnswer, type Came, failureOf } from "../observe.ts";
import { parseBody } from "./interface.ts";
import type { Envelope, Method } from "./method.ts";

/** The last response to a call, as it came. */
export interface Answer extends AnyAnswer {
  /** The body's value, if it is a JSON object that answers this request and no other. */
  readonly envelope: Envelope | undefined;
}

/** A response as an answer, whatever came. */
export function answerOf(came: Came, { transport }: Method): Answer {
  let envelope: Envelope | undefined;
  try {
    const value = parseBody(came.body);
    if (isObject<Envelope>(value) && transport.answers(value, came.id)) envelope = value;
  } catch {
    // A proxy's page, say: the answer has a body and no envelope.
  }
  return { ...came, envelope };
}

/** The result in an answer. Throws a `ServiceError`, or an `UnreadableResponseError` if it is not an answer. */
export function resultOf<Result extends object>(answer: Answer, method: Method): Result {
  const { envelope, status } = answer;
  const error = typeof envelope?.error?.code === "string" ? envelope.error : undefined;
  const result = envelope && !error && status === 200 && method.transport.result(envelope);
  if (isObject<Result>(result)) return result;
  const data = { ...error?.data };
  throw failureOf(answer, error, { field: data.field, reason: data.reason, data });
}
