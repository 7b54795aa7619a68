import { nodeSigner } from "./node-signer.ts";
import { type Bytes, encoder, base64 } from "./bytes.ts";

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

type PrivateKey = Exclude<Signer, { sign: unknown }>["privateKey"];

const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };

/**
 * A function that returns the base64 signature of a text's UTF-8 bytes: in P1363 for a key where it must be, in any
 * form otherwise. A PEM or JWK is imported at the first signature.
 */
export function textSigner(signer: Signer, isP1363?: boolean): (text: string) => string | Promise<string> {
  let key: Promise<SigningKey> | undefined;
  const imported = (given: PrivateKey) => (key ??= importKey(given));
  const sign = async (text: string) => {
    const bytes = encoder.encode(text);
    const signature =
      "sign" in signer
        ? signer.sign(bytes)
        : crypto.subtle.sign(algorithm, await imported(signer.privateKey), bytes);
    return base64(await signature);
  };
  return nodeSigner && !isP1363 && !("sign" in signer)
    ? nodeSigner(() => imported(signer.privateKey), sign)
    : sign;
}

/** Extractable only where `node:crypto` is to have it. */
async function importKey(key: PrivateKey): Promise<SigningKey> {
  if (typeof key === "string") {
    const der = Uint8Array.from(pkcs8Of(key), (character) => character.charCodeAt(0));
    return crypto.subtle.importKey("pkcs8", der, algorithm, !!nodeSigner, ["sign"]);
  }
  if ("algorithm" in key) return key;
  const jwk = nodeSigner ? { ...key, ext: true } : key;
  return crypto.subtle.importKey("jwk", jwk, algorithm, !!nodeSigner, ["sign"]);
}

/** The bytes in a PEM, each as a character; none if it is not PKCS#8. */
export function pkcs8Of(pem: string): string {
  return atob(/-BEGIN PRIVATE KEY-+([^-]+)/.exec(pem)?.[1] ?? "");
}
