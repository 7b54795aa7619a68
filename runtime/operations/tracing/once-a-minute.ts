const everyMs = 60_000;

/** Passes the first message on, and then one a minute: a collector that is away is not worth a line for each batch. */
export function onceAMinute(
  report: (message: string) => void,
  now: () => number = () => performance.now(),
): (message: string) => void {
  let reportedMs = -Infinity;
  return (message) => {
    if (now() - reportedMs < everyMs) return;
    reportedMs = now();
    report(message);
  };
}
