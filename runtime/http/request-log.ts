import type { RawResponse, SignInFault } from "../pipeline/index.ts";

/** The request log: one line a request, under the identifier that its answer has in `X-Request-Id`. */
export interface CallLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** A call that was answered. */
export interface LoggedAnswer {
  readonly requestId: string;
  readonly response: RawResponse;
  /** Since its first byte was read. */
  readonly ms: number;
  /** The caller's, or its proxy's. */
  readonly remoteAddress: string | undefined;
}

export interface AnswerLogOptions {
  readonly logger: CallLog;
  readonly interfaceName: string;
  /** Default: the process's. */
  readonly nowMs?: () => number;
}

const periodMs = 60_000;
const failedSignInsMax = 100;

/**
 * Logs answers: a line each. Failed sign-ins have the caller's address, and no more than 100 lines in a minute, so that
 * guessing fills no disk; a line says that more are left out, and a later one how many.
 */
export function createAnswerLog(options: AnswerLogOptions): (answer: LoggedAnswer) => void {
  const { logger, interfaceName, nowMs = () => performance.now() } = options;
  let beganMs = -Infinity;
  let logged = 0;
  const omitted = new Map<SignInFault, number>();

  function isOmitted(fault: SignInFault): boolean {
    if (nowMs() - beganMs >= periodMs) {
      if (omitted.size > 0) {
        const omittedLines = Object.fromEntries(omitted);
        logger.warn({ interface: interfaceName, omittedLines }, "failed sign-ins were not logged");
      }
      omitted.clear();
      logged = 0;
      beganMs = nowMs();
    }
    if (logged < failedSignInsMax) {
      logged += 1;
      return false;
    }
    if (omitted.size === 0) {
      const message = "too many sign-ins fail: further ones of this minute are only counted";
      logger.warn({ interface: interfaceName }, message);
    }
    omitted.set(fault, (omitted.get(fault) ?? 0) + 1);
    return true;
  }

  return ({ requestId, response: { trace, status }, ms, remoteAddress: address }) => {
    const { failedSignIn } = trace;
    if (failedSignIn !== undefined && isOmitted(failedSignIn.fault)) return;
    const failed = failedSignIn === undefined ? {} : { failedSignIn: { ...failedSignIn, address } };
    const rounded = Math.round(ms * 100) / 100;
    logger.info({ requestId, ...trace, ...failed, status, ms: rounded }, "answered");
  };
}

/** A request was refused before it was a call. */
export function logRefused(logger: CallLog, requestId: string, { trace, status }: RawResponse): void {
  logger.info({ requestId, ...trace, status }, "refused");
}

/** A request has no answer: its caller was gone before the whole of it was read. */
export function logUnanswered(logger: CallLog, requestId: string): void {
  logger.info({ requestId }, "caller closed the connection");
}
