const code = /^[A-Z][A-Z0-9_]{0,63}$/;

/** The code of an error, else its class. Its message stays out: it may quote what a caller wrote. */
export function errorTypeOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  return "code" in error && typeof error.code === "string" && code.test(error.code) ? error.code : error.name;
}
