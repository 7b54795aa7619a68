/**
 * Waits so long for an action, or for nothing, or until the caller gives up; one that heeds no signal is not waited for. Rejects with
 * nothing then. Leaves neither a timer nor a listener behind, however long the caller's signal lives.
 * `AbortSignal.any` would: engines keep its signal as long as it has a listener. `AbortSignal.timeout` keeps Deno
 * from ending.
 */
export function limited<T>(
  limitMs: number,
  given: AbortSignal | undefined,
  action?: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    given?.throwIfAborted();
    const controller = new AbortController();
    const leave = () => {
      clearTimeout(timer);
      given?.removeEventListener("abort", stop);
    };
    const stop = () => {
      leave();
      reject();
      controller.abort();
    };
    // The longest that a timer can wait, 24.8 days: engines take more for nothing at all.
    const timer = setTimeout(stop, Math.min(limitMs, 2 ** 31 - 1));
    given?.addEventListener("abort", stop);
    action?.(controller.signal).then(resolve, reject).then(leave);
  });
}
