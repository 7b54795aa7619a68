const json = /^application\/json\s*(?:;\s*charset="?utf-8"?\s*)?;?$/i;

/** Whether a `Content-Type` announces JSON; the charset may only be UTF-8 (RFC 8259 §8.1). */
export function isJson(contentType: string | undefined): boolean {
  return contentType === "application/json" || (contentType !== undefined && json.test(contentType.trim()));
}
