import { omitUndefined } from "../contract/index.ts";
/** The `Signature` header of section 5.4: `keyId=<key_id>,algorithm=ecdsa-sha256,signature=<base64_signature>`. */
export interface SignatureHeader {
  readonly keyId?: string;
  /** Absent too where the algorithm is another one: then there is no signature that counts. */
  readonly signature?: string;
}

/** Longer headers are not read: a signature takes 96 characters at most, which leaves 880 for the key's id. */
const signatureHeaderCharactersMax = 1024;

const names: ReadonlySet<string> = new Set(["keyId", "algorithm", "signature"]);

/**
 * Reads the header in one pass: it is read before the caller is authenticated. Members may be quoted and in any order.
 * Gives nothing if one is there twice, or is unknown, or the header is longer than `signatureHeaderCharactersMax`.
 */
export function parseSignatureHeader(text: string): SignatureHeader | undefined {
  if (text.length > signatureHeaderCharactersMax) return undefined;
  const found = new Map<string, string>();
  for (const part of text.split(",")) {
    const equalsAt = part.indexOf("=");
    const name = part.slice(0, Math.max(0, equalsAt)).trim();
    const value = unquoted(part.slice(equalsAt + 1).trim());
    if (!names.has(name) || found.has(name) || value === "" || value.includes('"')) return undefined;
    found.set(name, value);
  }
  const keyId = found.get("keyId");
  const signature = found.get("algorithm") === "ecdsa-sha256" ? found.get("signature") : undefined;
  return omitUndefined({ keyId, signature });
}

/** Without its quotes, if it has both. */
function unquoted(value: string): string {
  return value.length >= 2 && value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value;
}
