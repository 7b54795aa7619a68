/** Headers with each name once, in lower case. Throws a `TypeError` that does not say their values. */
export function plainHeaders(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  try {
    if (Object.values(headers).every((value) => typeof value === "string"))
      return Object.fromEntries(new Headers(headers));
  } catch {}
  throw new TypeError("headers: invalid");
}
