/** The time that one message has: a batch has it as a whole. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** Rejects with `OutOfTime` where the work takes longer. The work itself goes on, unawaited. */
  within<Result>(work: Promise<Result>): Promise<Result>;
  end(): void;
}

export class OutOfTime extends Error {
  override readonly name = "OutOfTime";
}

export function startDeadline(timeoutMs: number): Deadline {
  const controller = new AbortController();
  const { signal } = controller;
  /** Those who wait. Listeners of the signal would cost each call more than all else here. */
  const waiting = new Set<(reason: unknown) => void>();
  const timer = setTimeout(() => {
    controller.abort(new OutOfTime(`no answer within ${timeoutMs} ms`));
    for (const stop of waiting) stop(signal.reason);
  }, timeoutMs);
  return {
    signal,
    within: (work) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) reject(signal.reason);
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
