/** Ctrl-C reaches a process under npm twice, from the terminal and from npm. */
const sameSignalMs = 1000;
const parentCheckMs = 500;

/**
 * Calls `stop` once, with the reason, at the first SIGINT or SIGTERM, or when the npm that started this process is gone: it may have
 * been killed without a chance to pass that on. A second signal, later than the echo of the first, ends at once.
 */
export function onStopSignal(stop: (reason: string) => void): void {
  let stoppingSinceMs: number | undefined;
  const stopOnce = (reason: string): void => {
    stoppingSinceMs ??= performance.now();
    stop(reason);
  };
  const onSignal = (signal: string): void => {
    if (stoppingSinceMs === undefined) stopOnce(signal);
    else if (performance.now() - stoppingSinceMs > sameSignalMs) process.exit(1);
  };
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);

  if (process.env["npm_lifecycle_event"] === undefined) return;
  const npm = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === npm) return;
    clearInterval(watch);
    if (stoppingSinceMs === undefined) stopOnce("npm has ended");
  }, parentCheckMs);
  watch.unref();
}
