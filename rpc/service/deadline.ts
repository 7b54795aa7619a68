/** The time that one message has: a batch has it as a whole. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** Rejects with `OutOfTime` where the work takes longer. The work itself goes on, and nobody waits for it. */
  within<Result>(work: Promise<Result>): Promise<Result>;
  end(): void;
}

export class OutOfTime extends Error {
  override readonly name = "OutOfTime";
}

export function startDeadline(timeoutMs: number): Deadline {
  const controller = new AbortController();
  const { signal } = controller;
  const timer = setTimeout(
    () => controller.abort(new OutOfTime(`no answer within ${timeoutMs} ms`)),
    timeoutMs,
  );
  return {
    signal,
    within: (work) =>
      new Promise((resolve, reject) => {
        const stop = (): void => reject(signal.reason);
        if (signal.aborted) stop();
        signal.addEventListener("abort", stop, { once: true });
        work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
      }),
    end: () => clearTimeout(timer),
  };
}
