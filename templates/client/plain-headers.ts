/** Headers with each name once, in lower case. Throws a `TypeError` that does not say their values. */
export function plainHeaders(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  try {
    return Object.fromEntries(new Headers(headers));
  } catch {
    throw new TypeError("headers: invalid");
  }
}
