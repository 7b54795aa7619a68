/**
 * Decodes standard base64 (RFC 4648 §4), strictly: padded, no white space, no other alphabet, no stray bits.
 * Gives nothing for any other text.
 */
export function decodeBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, "base64");
  return bytes.toString("base64") === text ? bytes : undefined;
}
