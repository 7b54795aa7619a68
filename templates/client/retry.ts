import type { CallError } from "./failures.ts";
import { limited } from "./limited.ts";

/** How long and how often. Times are at most 2,147,483,647 ms, 24.8 days, and `Infinity` is as long. */
export interface Patience {
  /** How long one attempt may take; 15 seconds if absent. */
  readonly attemptTimeoutMs?: number;
  /** How long a call may take with all its attempts and the waits between them; 60 seconds if absent. */
  readonly totalTimeoutMs?: number;
  /** How often a request is sent at most; 4 if absent, 1 for no retries. */
  readonly attemptsMax?: number;
  /** The longest wait before the second attempt, doubled with each further one; 200 ms if absent. */
  readonly backoffMs?: number;
  /** The longest wait before any attempt, but for what `Retry-After` asks; 5 seconds if absent. */
  readonly backoffMsMax?: number;
}

/** A call as far as attempts are concerned. */
export interface Retried extends Patience {
  readonly signal?: AbortSignal;
  /** Whether there is to be another attempt, after one that ended so that another may help, or did not. */
  readonly mayRetry?: (wouldHelp: boolean) => boolean;
}

/** Sends once; gives the failure where no answer came. */
type Attempt<End> = (attempts: number, limitMs: number) => Promise<End | CallError>;

/** A failure has no headers. */
interface Ended {
  readonly name?: string;
  readonly headers?: Headers;
}

/** Makes attempts while another one may help and is allowed. Gives the last answer, or rejects with the last failure. */
export async function retried<End extends { readonly headers: Headers }>(
  call: Retried,
  attempt: Attempt<End>,
  isTemporary: (end: End | CallError) => boolean,
): Promise<End> {
  const {
    attemptTimeoutMs = 15_000,
    totalTimeoutMs = 60_000,
    attemptsMax = 4,
    backoffMs = 200,
    backoffMsMax = 5000,
  } = call;
  const endsAtMs = performance.now() + totalTimeoutMs;
  for (let attempts = 1; ; attempts++) {
    const end: Ended & (End | CallError) = await attempt(
      attempts,
      Math.min(attemptTimeoutMs, endsAtMs - performance.now()),
    );
    const again = isTemporary(end);
    // Seconds or a date.
    const after = end.headers?.get("retry-after") ?? "";
    const waitMs = again
      ? Math.max(0, +after * 1000 || Date.parse(after) - Date.now() || 0) +
        Math.random() * Math.min(backoffMsMax, backoffMs * 2 ** (attempts - 1))
      : 0;
    // Timers count whole milliseconds and fire up to two early: what is left then is no time for an attempt.
    const isOver = attempts >= attemptsMax || performance.now() + waitMs > endsAtMs - 2;
    if (isOver || !(call.mayRetry?.(again) ?? again)) {
      if (end instanceof Error) throw end;
      return end;
    }
    await limited(waitMs, call.signal).catch(() => {});
  }
}
