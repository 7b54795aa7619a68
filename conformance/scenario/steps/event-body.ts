/** The JSON of a notification; undefined if it is not JSON. */
export function bodyOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return undefined;
  }
}
