import type { RawResponse } from "../pipeline/index.ts";

/** The request log: one line a request, under the identifier that its answer has in `X-Request-Id`. */
export interface CallLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** A call was answered, `elapsedMs` after its first byte was read. */
export function logAnswered(
  logger: CallLog,
  requestId: string,
  { trace, status }: RawResponse,
  elapsedMs: number,
): void {
  logger.info({ requestId, ...trace, status, ms: Math.round(elapsedMs * 100) / 100 }, "answered");
}

/** A request was refused before it was a call. */
export function logRefused(logger: CallLog, requestId: string, { trace, status }: RawResponse): void {
  logger.info({ requestId, ...trace, status }, "refused");
}

/** A request has no answer: its caller was gone before the whole of it was read. */
export function logUnanswered(logger: CallLog, requestId: string): void {
  logger.info({ requestId }, "caller closed the connection");
}
