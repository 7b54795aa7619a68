import type { Pipeline, RawResponse } from "../../service/signed/index.ts";
import type { OverloadReason } from "./metrics.ts";

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
