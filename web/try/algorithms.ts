import type { PageKey } from "../shared/key.ts";
import type { DescribedScheme } from "./tried.ts";

/** How WebCrypto makes a signature of one name. */
export interface Algorithm {
  readonly key: EcKeyImportParams | RsaHashedImportParams | HmacImportParams | { readonly name: string };
  readonly signature: { readonly name: string; readonly hash?: string; readonly saltLength?: number };
}

const ed25519: Algorithm = { key: { name: "Ed25519" }, signature: { name: "Ed25519" } };

/** Of JSON Web Tokens (RFC 7518) and of HTTP message signatures (RFC 9421), by their names there. */
const algorithms: Readonly<Record<string, Algorithm>> = {
  HS256: hmac("SHA-256"),
  HS384: hmac("SHA-384"),
  HS512: hmac("SHA-512"),
  ES256: ecdsa("P-256", "SHA-256"),
  ES384: ecdsa("P-384", "SHA-384"),
  ES512: ecdsa("P-521", "SHA-512"),
  RS256: rsa("RSASSA-PKCS1-v1_5", "SHA-256"),
  RS384: rsa("RSASSA-PKCS1-v1_5", "SHA-384"),
  RS512: rsa("RSASSA-PKCS1-v1_5", "SHA-512"),
  PS256: rsa("RSA-PSS", "SHA-256", 32),
  PS384: rsa("RSA-PSS", "SHA-384", 48),
  PS512: rsa("RSA-PSS", "SHA-512", 64),
  EdDSA: ed25519,
  Ed25519: ed25519,
  ed25519,
  "ecdsa-p256-sha256": ecdsa("P-256", "SHA-256"),
  "ecdsa-p384-sha384": ecdsa("P-384", "SHA-384"),
  "rsa-pss-sha512": rsa("RSA-PSS", "SHA-512", 64),
  "rsa-v1_5-sha256": rsa("RSASSA-PKCS1-v1_5", "SHA-256"),
  "hmac-sha256": hmac("SHA-256"),
};

/** @throws Error for a name that browsers cannot sign with */
export function algorithmOf(name: string): Algorithm {
  const found = Object.hasOwn(algorithms, name) ? algorithms[name] : undefined;
  if (found === undefined) throw new Error(`A browser cannot sign with ${name}.`);
  return found;
}

/** Whether both ends have the same secret. */
export function isSymmetric(name: string): boolean {
  return /^HS|^hmac/.test(name);
}

/** Gives the signature of bytes by a key that no script can read. */
export type Sign = (bytes: Uint8Array<ArrayBuffer>) => Promise<Uint8Array<ArrayBuffer>>;

export function signWith(key: PageKey, { signature }: Algorithm): Sign {
  return async (bytes) => new Uint8Array(await crypto.subtle.sign(signature, key, bytes));
}

/** Takes a secret into a key. */
export async function keyFromSecret(secret: string, { key }: Algorithm): Promise<PageKey> {
  return await crypto.subtle.importKey("raw", new TextEncoder().encode(secret), key, false, ["sign"]);
}

function hmac(hash: string): Algorithm {
  return { key: { name: "HMAC", hash }, signature: { name: "HMAC" } };
}

function ecdsa(namedCurve: string, hash: string): Algorithm {
  return { key: { name: "ECDSA", namedCurve }, signature: { name: "ECDSA", hash } };
}

function rsa(name: string, hash: string, saltLength?: number): Algorithm {
  return { key: { name, hash }, signature: { name, ...(saltLength !== undefined && { saltLength }) } };
}

/** A function that signs with `node:crypto` by keys that the client does not know. */
export function signFunction(algorithm: string): string {
  if (isSymmetric(algorithm))
    return `async (bytes) => (await import("node:crypto")).createHmac("sha256", process.env.SIGNING_SECRET ?? "").update(bytes).digest()`;
  const hash = /sha(\d+)$/.exec(algorithm)?.[0];
  const own = algorithm.startsWith("ecdsa")
    ? `, dsaEncoding: "ieee-p1363"`
    : algorithm.startsWith("rsa-pss")
      ? ", padding: 6, saltLength: 64"
      : "";
  return `async (bytes) => (await import("node:crypto")).sign(${hash === undefined ? "null" : JSON.stringify(hash)}, bytes, { key: process.env.PRIVATE_KEY_PEM ?? ""${own} })`;
}

/** A token to be made. */
interface TokenFacts {
  readonly scheme: DescribedScheme;
  readonly algorithm: string;
  readonly keyId: string;
  /** All that the methods of the interface ask for. */
  readonly scopes: readonly string[];
  /** Take the place of those that the spec asks for. */
  readonly claims: Readonly<Record<string, unknown>>;
}

/** Seconds for which a token holds. */
const lifetimeSeconds = 300;

/** A JSON Web Token (RFC 7519) as the spec asks for it. */
export async function signedToken(facts: TokenFacts, sign: Sign): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  const text = `${encoded(headerOf(facts))}.${encoded(claimsOf(facts, now))}`;
  return `${text}.${base64url(await sign(new TextEncoder().encode(text)))}`;
}

export function headerOf({ scheme, algorithm, keyId }: TokenFacts): object {
  return {
    alg: algorithm,
    ...(typeof scheme["type"] === "string" && { typ: scheme["type"] }),
    ...(keyId !== "" && { kid: keyId }),
  };
}

export function claimsOf({ scheme, scopes, claims }: TokenFacts, nowSeconds: number): object {
  const { issuer, audience } = scheme;
  return {
    ...(issuer !== undefined && { iss: firstOf(issuer) }),
    ...(audience !== undefined && { aud: firstOf(audience) }),
    iat: nowSeconds,
    exp: nowSeconds + lifetimeSeconds,
    ...(scopes.length > 0 && { scope: scopes.join(" ") }),
    ...claims,
  };
}

function firstOf(value: unknown): unknown {
  return Array.isArray(value) ? value[0] : value;
}

function encoded(value: object): string {
  return base64url(new TextEncoder().encode(JSON.stringify(value)));
}

function base64url(bytes: Uint8Array): string {
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
