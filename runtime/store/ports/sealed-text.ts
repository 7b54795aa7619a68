/** Seals secrets at rest (AES-256-GCM under the service's own key). */
export interface Sealer {
  /** Identifier of the key that seals; `keyIdOfSealed` gives it of each text. */
  readonly keyId: string;
  seal(plaintext: string): string;
  /** Throws if the text was not sealed by this key, or by a former one that is given beside it. */
  open(sealed: string): string;
}

const sealedText = /^(?:v1|v2\.([0-9a-f]{16}))\.[A-Za-z0-9_-]*$/;

/**
 * Identifier of the key that sealed a text; `""` for a text of before keys had identifiers (`v1.`), and nothing for one
 * that is not sealed.
 */
export function keyIdOfSealed(text: string): string | undefined {
  const found = sealedText.exec(text);
  return found === null ? undefined : (found[1] ?? "");
}
