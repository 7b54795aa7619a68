import { constants, createHmac, timingSafeEqual, verify, type KeyObject } from "node:crypto";
import { derFromP1363 } from "./signing/signatures.ts";

/** Algorithms of RFC 9421, section 3.3, and how long their signatures are, in bytes, where they have one length. */
const algorithmBytes = {
  "hmac-sha256": 32,
  "ecdsa-p256-sha256": 64,
  "ecdsa-p384-sha384": 96,
  ed25519: 64,
  "rsa-pss-sha512": undefined,
  "rsa-v1_5-sha256": undefined,
} as const;

export type SignatureAlgorithm = keyof typeof algorithmBytes;

export function isSignatureAlgorithm(name: string): name is SignatureAlgorithm {
  return Object.hasOwn(algorithmBytes, name);
}

export const signatureAlgorithms: readonly SignatureAlgorithm[] =
  Object.keys(algorithmBytes).filter(isSignatureAlgorithm);

export function hasLength(algorithm: SignatureAlgorithm, bytes: number): boolean {
  return (algorithmBytes[algorithm] ?? bytes) === bytes;
}

/** By whom a message has to be signed. */
export interface SignerKey {
  /** A public key, or a secret for `hmac-sha256`. */
  readonly key: KeyObject;
  /** For RSA keys where the rules accept both kinds of RSA signatures. */
  readonly algorithm?: SignatureAlgorithm;
}

/**
 * The one algorithm that the key is for, the rules accept and the message, if it says one, names. The key decides, never
 * the message (RFC 9421, section 3.2); nothing where several would do, because the choice would be the caller's.
 */
function algorithmFor(
  { key, algorithm }: SignerKey,
  named: string | undefined,
  accepted: readonly SignatureAlgorithm[],
): SignatureAlgorithm | undefined {
  const possible = algorithmsOf(key).filter(
    (each) => accepted.includes(each) && (algorithm === undefined || each === algorithm),
  );
  const [only] = possible;
  return possible.length === 1 && (named === undefined || named === only) ? only : undefined;
}

/** A secret is for HMAC alone, a public key never. */
function algorithmsOf(key: KeyObject): readonly SignatureAlgorithm[] {
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

/** Verifies a P-256 signature in DER. */
export type VerifyP256 = (key: KeyObject, bytes: Uint8Array, signature: Uint8Array) => Promise<boolean>;

/** What was signed, as a message says it. */
export interface SignedBase {
  /** The algorithm that the message names, if any. */
  readonly algorithm?: string;
  readonly base: Buffer;
  readonly signature: Buffer;
}

/** Why a signature is not by this key, in words for the service's log; nothing if it is. */
export async function faultOfSignature(
  { algorithm: named, base, signature }: SignedBase,
  signer: SignerKey,
  accepted: readonly SignatureAlgorithm[],
  verifyP256: VerifyP256 = verifyOnThread,
): Promise<string | undefined> {
  const { key } = signer;
  const algorithm = algorithmFor(signer, named, accepted);
  if (algorithm === undefined || !hasLength(algorithm, signature.length))
    return "the key is not for such a signature";
  return (await isBy(algorithm)) ? undefined : "wrong signature";

  function isBy(algorithm: SignatureAlgorithm): boolean | Promise<boolean> {
    switch (algorithm) {
      case "hmac-sha256":
        return timingSafeEqual(createHmac("sha256", key).update(base).digest(), signature);
      case "ecdsa-p256-sha256":
        return verifyP256(key, base, derFromP1363(signature));
      default: {
        const { hash, options } = publicKeyParameters[algorithm];
        return verifyWith(hash, base, { key, ...options }, signature);
      }
    }
  }
}

function verifyOnThread(key: KeyObject, bytes: Uint8Array, signature: Uint8Array): Promise<boolean> {
  return verifyWith("sha256", bytes, key, signature);
}

function verifyWith(
  hash: string | null,
  bytes: Uint8Array,
  key: Parameters<typeof verify>[2],
  signature: Uint8Array,
): Promise<boolean> {
  return new Promise((resolve) => {
    // An error is about the bytes of the signature, which are the caller's: the key was checked before.
    verify(hash, bytes, key, signature, (error, isValid) => resolve(error === null && isValid));
  });
}

const publicKeyParameters = {
  "ecdsa-p384-sha384": { hash: "sha384", options: { dsaEncoding: "ieee-p1363" } },
  ed25519: { hash: null, options: {} },
  "rsa-pss-sha512": {
    hash: "sha512",
    options: { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 64 },
  },
  "rsa-v1_5-sha256": { hash: "sha256", options: { padding: constants.RSA_PKCS1_PADDING } },
} as const;
