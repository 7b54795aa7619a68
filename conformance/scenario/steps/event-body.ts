/** The JSON of a notification; undefined where it is none. */
export function bodyOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return undefined;
  }
}
