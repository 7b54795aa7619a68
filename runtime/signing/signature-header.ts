/** The `Signature` header of section 5.4: `keyId=<key_id>,algorithm=ecdsa-sha256,signature=<base64_signature>`. */
export interface SignatureHeader {
  readonly keyId?: string;
  /** Absent too where the algorithm is another one: then there is no signature that counts. */
  readonly signature?: string;
}

const member = /^\s*(?<name>keyId|algorithm|signature)\s*=\s*(?<quote>"?)(?<value>[^",]*)\k<quote>\s*$/;

/** Reads the header; members may be quoted and in any order. Gives nothing if one is there twice, or is unknown. */
export function parseSignatureHeader(text: string): SignatureHeader | undefined {
  const found = new Map<string, string>();
  for (const part of text.split(",")) {
    const { name = "", value = "" } = member.exec(part)?.groups ?? {};
    if (value === "" || found.has(name)) return undefined;
    found.set(name, value);
  }
  const keyId = found.get("keyId");
  const signature = found.get("algorithm") === "ecdsa-sha256" ? found.get("signature") : undefined;
  return { ...(keyId === undefined ? {} : { keyId }), ...(signature === undefined ? {} : { signature }) };
}
