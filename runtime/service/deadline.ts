/** The time that one message has: a batch has it as a whole. */
export interface Deadline {
  /** Aborts when the time is over; for a call that changes nothing, also when its caller has left. */
  signalOf(isRead: boolean): AbortSignal;
  /** The caller has left: the answer reaches no one. */
  leave(): void;
  /** Rejects with `OutOfTime` where the work takes longer. The work itself goes on, unawaited. */
  within<Result>(work: Promise<Result>): Promise<Result>;
  end(): void;
}

export class OutOfTime extends Error {
  override readonly name = "OutOfTime";
}

export class CallerLeft extends Error {
  override readonly name = "CallerLeft";
}

/** Whether an error came of the caller's leaving: the signal has aborted, and it, `fetch` or the like was thrown. */
export function isAbandoned(error: unknown, { reason }: AbortSignal): boolean {
  const isOfAbort = error === reason || (error instanceof Error && error.name === "AbortError");
  return reason instanceof CallerLeft && isOfAbort;
}

export function startDeadline(timeoutMs: number): Deadline {
  /** Made where they are asked for: most messages need one of them. */
  let ofReads: AbortController | undefined;
  let ofWrites: AbortController | undefined;
  let over: OutOfTime | undefined;
  let left: CallerLeft | undefined;
  /** Those who wait. Listeners of the signal would cost each call more than all else here. */
  const waiting = new Set<(reason: unknown) => void>();
  const timer = setTimeout(() => {
    over = new OutOfTime(`no answer within ${timeoutMs} ms`);
    ofReads?.abort(over);
    ofWrites?.abort(over);
    for (const stop of waiting) stop(over);
  }, timeoutMs);

  return {
    signalOf(isRead) {
      const controller = isRead ? (ofReads ??= begin(over ?? left)) : (ofWrites ??= begin(over));
      return controller.signal;
    },
    leave() {
      left = new CallerLeft("the caller has left");
      ofReads?.abort(left);
    },
    within: (work) =>
      new Promise((resolve, reject) => {
        if (over !== undefined) reject(over);
        waiting.add(reject);
        const settle =
          <Value>(end: (value: Value) => void) =>
          (value: Value): void => {
            waiting.delete(reject);
            end(value);
          };
        work.then(settle(resolve), settle(reject));
      }),
    end: () => clearTimeout(timer),
  };
}

/** One that has aborted already where there is a reason. */
function begin(reason: Error | undefined): AbortController {
  const controller = new AbortController();
  if (reason !== undefined) controller.abort(reason);
  return controller;
}
