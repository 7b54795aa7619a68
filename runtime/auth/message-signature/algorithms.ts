import { constants, createHmac, timingSafeEqual, verify, type KeyObject } from "node:crypto";

/** Algorithms of RFC 9421, section 3.3. */
export const signatureAlgorithms = [
  "hmac-sha256",
  "ecdsa-p256-sha256",
  "ecdsa-p384-sha384",
  "ed25519",
  "rsa-pss-sha512",
  "rsa-v1_5-sha256",
] as const;

export type SignatureAlgorithm = (typeof signatureAlgorithms)[number];

/**
 * The algorithms that a key can be used with: the key decides, never the message (RFC 9421, section 3.2). A secret is
 * for HMAC alone, a public key never.
 */
export function algorithmsOf(key: KeyObject): readonly SignatureAlgorithm[] {
  if (key.type === "secret") return ["hmac-sha256"];
  switch (key.asymmetricKeyType) {
    case "ec":
      return curves.get(key.asymmetricKeyDetails?.namedCurve ?? "") ?? [];
    case "ed25519":
      return ["ed25519"];
    case "rsa":
      return ["rsa-pss-sha512", "rsa-v1_5-sha256"];
    case "rsa-pss":
      return ["rsa-pss-sha512"];
    default:
      return [];
  }
}

const curves: ReadonlyMap<string, readonly SignatureAlgorithm[]> = new Map([
  ["prime256v1", ["ecdsa-p256-sha256"]],
  ["secp384r1", ["ecdsa-p384-sha384"]],
]);

/** Public-key signatures are verified on the thread pool. */
export async function verifies(
  algorithm: SignatureAlgorithm,
  key: KeyObject,
  base: Buffer,
  signature: Buffer,
): Promise<boolean> {
  if (algorithm === "hmac-sha256") {
    const mac = createHmac("sha256", key).update(base).digest();
    return mac.length === signature.length && timingSafeEqual(mac, signature);
  }
  const { hash, options } = publicKeyParameters[algorithm];
  return new Promise((resolve) => {
    // An error is about the bytes of the signature, which are the caller's: the key was checked before.
    verify(hash, base, { key, ...options }, signature, (error, isValid) =>
      resolve(error === null && isValid),
    );
  });
}

const publicKeyParameters = {
  "ecdsa-p256-sha256": { hash: "sha256", options: { dsaEncoding: "ieee-p1363" } },
  "ecdsa-p384-sha384": { hash: "sha384", options: { dsaEncoding: "ieee-p1363" } },
  ed25519: { hash: null, options: {} },
  "rsa-pss-sha512": {
    hash: "sha512",
    options: { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 64 },
  },
  "rsa-v1_5-sha256": { hash: "sha256", options: { padding: constants.RSA_PKCS1_PADDING } },
} as const;
