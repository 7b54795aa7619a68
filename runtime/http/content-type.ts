/** The `Content-Type` of every answer in JSON. */
export const jsonType = "application/json; charset=utf-8";

const json = /^application\/json\s*(?:;\s*charset="?utf-8"?\s*)?;?$/i;
/** None that announces JSON is longer, by far. */
const charactersMax = 256;

/** Whether a `Content-Type` announces JSON; the charset may only be UTF-8 (RFC 8259 §8.1). */
export function isJson(contentType: string | undefined): boolean {
  if (contentType === "application/json") return true;
  return contentType !== undefined && contentType.length <= charactersMax && json.test(contentType.trim());
}
