import type { AnswerLog } from "../../transport/http/endpoint.ts";
import type { CallTrace, Pipeline, RawResponse } from "../../pipeline/index.ts";

/** Why a request is refused with `UNAVAILABLE`. */
export const overloadReasons = [
  /** The queue would take too long. */
  "overloaded",
  /** Other calls of the user hold its share, and end too slowly. */
  "too-many-calls",
  /** No room for another unfinished body. */
  "bodies",
  /** Too many requests of a connection, or in all, wait parsed. */
  "pipelined",
  /** The connection is above a limit of connections. */
  "connections",
  /** Another program held a lock of the database for too long. */
  "database-locked",
] as const;
export type OverloadReason = (typeof overloadReasons)[number];

/** Gets the lines. */
export interface CallLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/**
 * The request log: one line a request, under the identifier that its answer has in `X-Request-Id`. Strangers fill no disk:
 * failed sign-ins have 100 lines a minute, and so have all other requests that no known user made. Further ones are
 * counted: a line says that they are left out, and a later one how many.
 */
export interface RequestLog extends AnswerLog {
  /** A request was refused before it was a call. */
  refused(requestId: string, response: RawResponse): void;
}

export interface RequestLogOptions {
  readonly logger: CallLog;
  readonly interfaceName: string;
  /** Default: the process's. */
  readonly nowMs?: () => number;
}

export function createRequestLog(options: RequestLogOptions): RequestLog {
  const { logger } = options;
  const isSignInOmitted = lineLimit(options, "failed sign-ins");
  const isStrangerOmitted = lineLimit(options, "requests of strangers");

  function isOmitted({ failedSignIn, userName, code }: CallTrace): boolean {
    if (failedSignIn !== undefined) return isSignInOmitted(failedSignIn.fault);
    return userName === undefined && code !== undefined && isStrangerOmitted(code);
  }

  return {
    answered({ requestId, response: { trace, status }, ms, remoteAddress: address }) {
      if (isOmitted(trace)) return;
      const { failedSignIn } = trace;
      const failed = failedSignIn === undefined ? {} : { failedSignIn: { ...failedSignIn, address } };
      const rounded = Math.round(ms * 100) / 100;
      logger.info({ requestId, ...trace, ...failed, status, ms: rounded }, "answered");
    },
    refused(requestId, { trace, status }) {
      if (!isOmitted(trace)) logger.info({ requestId, ...trace, status }, "refused");
    },
    unanswered(requestId) {
      if (!isStrangerOmitted("unanswered")) logger.info({ requestId }, "caller closed the connection");
    },
    failed(kind, fields, message) {
      if (!isStrangerOmitted(kind)) logger.error(fields, message);
    },
  };
}

const periodMs = 60_000;
const linesMax = 100;

/** Says of each line of one sort whether it is left out, and counts those that are, by `kind`. */
function lineLimit(
  { logger, interfaceName, nowMs = () => performance.now() }: RequestLogOptions,
  sort: string,
): (kind: string) => boolean {
  let beganMs = -Infinity;
  let logged = 0;
  const omitted = new Map<string, number>();

  return (kind) => {
    if (nowMs() - beganMs >= periodMs) {
      if (omitted.size > 0) {
        const omittedLines = Object.fromEntries(omitted);
        logger.warn({ interface: interfaceName, omittedLines }, `${sort} were not logged`);
      }
      omitted.clear();
      logged = 0;
      beganMs = nowMs();
    }
    if (logged < linesMax) {
      logged += 1;
      return false;
    }
    if (omitted.size === 0) {
      const message = `too many ${sort}: further ones of this minute are only counted`;
      logger.warn({ interface: interfaceName }, message);
    }
    omitted.set(kind, (omitted.get(kind) ?? 0) + 1);
    return true;
  };
}

/** Refuses requests that the service has no room for, at the least cost: one answer, made once. */
export interface Overload {
  refuse(reason: OverloadReason): RawResponse;
  /**
   * Counts an answer by which a call was refused further on. Gives whether an answer is one of `refuse`, which gets no log
   * line of its own.
   */
  noted(answer: RawResponse): boolean;
}

export interface OverloadOptions {
  readonly pipeline: Pipeline;
  readonly metrics: { refused(interfaceName: string, reason: OverloadReason): void };
  readonly logger: { warn(fields: object, message: string): void };
}

/** Seconds until a caller may try again: `Retry-After`. */
const retryAfterSeconds = "1";
const logEveryMs = 10_000;

export function createOverload({ pipeline, metrics, logger }: OverloadOptions): Overload {
  const refused = pipeline.refuse("unavailable", 503, "overloaded");
  const answer: RawResponse = {
    ...refused,
    headers: { ...refused.headers, "Retry-After": retryAfterSeconds },
  };
  const counts = new Map<OverloadReason, number>();
  let loggedAtMs = -Infinity;

  /** One line in ten seconds: a line for each refused request would cost more than the response. */
  function log(cause: string): void {
    const nowMs = performance.now();
    if (nowMs - loggedAtMs < logEveryMs) return;
    loggedAtMs = nowMs;
    logger.warn(
      { interface: pipeline.name, refused: Object.fromEntries(counts) },
      `${cause}: requests are refused with UNAVAILABLE`,
    );
    counts.clear();
  }

  function count(reason: OverloadReason, cause: string): void {
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
    metrics.refused(pipeline.name, reason);
    log(cause);
  }

  return {
    refuse(reason) {
      count(reason, "too busy");
      return answer;
    },
    noted(other) {
      const { reason } = other.trace;
      if (reason === "database-locked") count(reason, "another program holds a lock of the database");
      if (reason === "too-many-calls") count(reason, "a user has too many calls at once");
      return other === answer;
    },
  };
}
