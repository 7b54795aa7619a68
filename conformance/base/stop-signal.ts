/** Aborted when the process is asked to end: Ctrl-C, `kill`, or its output pipe is closed. A second Ctrl-C ends it at once. */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  const stop = (): void => controller.abort();
  process.once("SIGINT", stop);
  process.once("SIGTERM", stop);
  process.stdout.on("error", stop);
  return controller.signal;
}
