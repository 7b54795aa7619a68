import type { Sign } from "./algorithms.ts";
import type { DescribedScheme } from "./described.ts";

/** A token to be made. */
export interface TokenFacts {
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
