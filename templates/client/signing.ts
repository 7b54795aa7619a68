/** A private key of WebCrypto: ECDSA over P-256, for signing. It need not be extractable. */
export type SigningKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

/** A private key as JSON (RFC 7517): `kty` is `EC`, `crv` is `P-256`. */
export interface PrivateJwk {
  readonly kty?: string;
  readonly crv?: string;
  readonly x?: string;
  readonly y?: string;
  readonly d?: string;
}

/** Bytes in memory of their own, whatever the compiler's version calls them. */
export type Bytes = ReturnType<InstanceType<typeof TextEncoder>["encode"]>;

/** Signs these exact bytes with ECDSA P-256 and SHA-256. Gives the signature in DER or P1363, as bytes or in base64. */
export type SignFunction = (bytes: Bytes) => Promise<string | Uint8Array>;

/** A key, or a function that signs by a key kept elsewhere (an HSM, a KMS, a secure enclave). */
export type Signer =
  | {
      /** Identifier that the service gave the key. */
      readonly keyId: string;
      /** The text of a PKCS#8 PEM, a key of WebCrypto, or a JWK. */
      readonly privateKey: string | SigningKey | PrivateJwk;
    }
  | { readonly keyId: string; readonly sign: SignFunction };

const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };

/** What gives the base64 signature of a text's UTF-8 bytes. A PEM or JWK is imported at the first signature. */
export function textSigner(signer: Signer): (text: string) => Promise<string> {
  let key: SigningKey | undefined;
  return async (text) => {
    const bytes = new TextEncoder().encode(text);
    const signature =
      "sign" in signer
        ? await signer.sign(bytes)
        : await crypto.subtle.sign(algorithm, (key ??= await importKey(signer.privateKey)), bytes);
    return typeof signature === "string" ? signature : base64(new Uint8Array(signature));
  };
}

/** Standard base64 with padding. */
export function base64(bytes: Uint8Array): string {
  // Spreading the bytes would take three times as long.
  return btoa(Reflect.apply(String.fromCharCode, undefined, bytes));
}

async function importKey(key: string | SigningKey | PrivateJwk): Promise<SigningKey> {
  if (typeof key !== "string") {
    return "algorithm" in key ? key : crypto.subtle.importKey("jwk", key, algorithm, false, ["sign"]);
  }
  const der = Uint8Array.from(pkcs8Of(key), (character) => character.charCodeAt(0));
  return crypto.subtle.importKey("pkcs8", der, algorithm, false, ["sign"]);
}

/** The bytes in a PEM, each as a character; none if it is not PKCS#8. */
export function pkcs8Of(pem: string): string {
  return atob(/-BEGIN PRIVATE KEY-+([^-]+)/.exec(pem)?.[1] ?? "");
}
