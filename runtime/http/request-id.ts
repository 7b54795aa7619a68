const sane = /^[A-Za-z0-9._:-]{1,64}$/;

/** The caller's `X-Request-Id`, if it is one that can stand in a log line; else a new one. */
export function requestIdOf(sent: string | undefined, create: () => string): string {
  return sent !== undefined && sane.test(sent) ? sent : create();
}
