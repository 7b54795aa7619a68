import { readFileSync } from "node:fs";

/** Ctrl-C reaches a process under npm twice, from the terminal and from npm. */
const sameSignalMs = 1000;
const parentCheckMs = 500;

/**
 * Calls `stop` once, with the reason, at the first SIGINT or SIGTERM, or when the npm that started this process is gone: it may have
 * been killed without a chance to pass that on. A second signal ends at once, unless it echoes the first: npm passes
 * a SIGINT on once, and on a busy machine late.
 */
export function onStopSignal(stop: (reason: string) => void): void {
  const isUnderNpm = process.env["npm_lifecycle_event"] !== undefined;
  let signals = 0;
  let stoppingSinceMs: number | undefined;
  const stopOnce = (reason: string): void => {
    stoppingSinceMs ??= performance.now();
    stop(reason);
  };
  const onSignal = (signal: string): void => {
    signals += 1;
    if (stoppingSinceMs === undefined) return stopOnce(signal);
    const isOfNpm = isUnderNpm && signal === "SIGINT" && signals === 2;
    if (!isOfNpm && performance.now() - stoppingSinceMs > sameSignalMs) process.exit(1);
  };
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);

  if (!isUnderNpm) return;
  const above = processesAbove();
  const watch = setInterval(() => {
    if (processesAbove() === above) return;
    clearInterval(watch);
    if (stoppingSinceMs === undefined) stopOnce("npm has ended");
  }, parentCheckMs);
  watch.unref();
}

/** The parent, which is npm or the shell that npm starts scripts by, and on Linux the parent of that, which then is npm. */
function processesAbove(): string {
  const { ppid } = process;
  try {
    // The name in parentheses may hold anything: what follows the last one is the state and the parent.
    const [, grandparent = ""] =
      readFileSync(`/proc/${ppid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
    return `${ppid} ${grandparent}`;
  } catch {
    return String(ppid);
  }
}
