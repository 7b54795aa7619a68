import { generateKeyPairSync, randomBytes, type JsonWebKey, type KeyObject } from "node:crypto";

/** A key pair with which the suite issues tokens. */
export interface IssuerKeys {
  readonly keyId: string;
  readonly privateKey: KeyObject;
  readonly publicKeyPem: string;
  /** As the issuer publishes it (RFC 7517). */
  readonly jwk: JsonWebKey;
}

const made = new Map<string, IssuerKeys>();

/** The suite's own key pair for an algorithm of JSON Web Signatures; `stranger`: one that is not published. */
export function issuerKeys(algorithm: string, whose: "issuer" | "stranger" = "issuer"): IssuerKeys {
  const name = `${whose} ${algorithm}`;
  const known = made.get(name) ?? newKeys(algorithm);
  made.set(name, known);
  return known;
}

/** The published JWK set of the suite's issuer, with a key for each algorithm. */
export function publishedKeys(algorithms: readonly string[]): { readonly keys: readonly JsonWebKey[] } {
  return { keys: algorithms.filter((each) => !each.startsWith("HS")).map((each) => issuerKeys(each).jwk) };
}

function newKeys(algorithm: string): IssuerKeys {
  const { privateKey, publicKey } = pairFor(algorithm);
  const keyId = randomBytes(9).toString("base64url");
  return {
    keyId,
    privateKey,
    publicKeyPem: publicKey.export({ type: "spki", format: "pem" }).toString(),
    jwk: { ...publicKey.export({ format: "jwk" }), kid: keyId, alg: algorithm, use: "sig" },
  };
}

function pairFor(algorithm: string): { readonly privateKey: KeyObject; readonly publicKey: KeyObject } {
  if (algorithm.startsWith("Ed")) return generateKeyPairSync("ed25519");
  if (!algorithm.startsWith("ES")) return generateKeyPairSync("rsa", { modulusLength: 2048 });
  const curve = { ES256: "P-256", ES384: "P-384", ES512: "P-521" }[algorithm] ?? "P-256";
  return generateKeyPairSync("ec", { namedCurve: curve });
}
