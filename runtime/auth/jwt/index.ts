import { createLocalJWKSet, type JSONWebKeySet, type JWTPayload, type JWTVerifyGetKey } from "jose";
import { authorization, identified, quoted, type Found } from "../credentials.ts";
import { declaredOptions, type DeclaredOptions } from "../declared.ts";
import type { AuthClock, AuthScheme, SchemeVerifier } from "../../../runtime/auth/port.ts";
import { checkToken, type TokenRules } from "./check-token.ts";
import { keysAt, type KeySourceOptions } from "./key-source.ts";

export type { JWTPayload } from "jose";

export type JwtOptions<Caller> = JwtClaims<Caller> & (JwtKeys | JwtSecret);

interface JwtClaims<Caller> {
  /** Finds the caller from the claims of a valid token; nothing where it is not a caller of this service. */
  caller(claims: JWTPayload): Found<Caller>;
  /** The scopes that the token grants. Default: `scope`, separated by spaces (RFC 8693, section 4.2), or else `scp`. */
  readonly scopes?: (claims: JWTPayload) => readonly string[];
}

/** For algorithms with public keys. */
export interface JwtKeys extends KeySourceOptions {
  /** Where the issuer publishes its keys, `https:`, or `http:` of this machine; or the keys themselves. */
  readonly jwks: string | URL | JSONWebKeySet;
}

/** For `HS256`, `HS384` and `HS512`. */
export interface JwtSecret {
  /** At least as long as the hash: 32 bytes for `HS256` (RFC 7518, section 3.2). A text stands for its UTF-8 bytes. */
  readonly secret: string | Uint8Array;
}

const secretBytesMin: Readonly<Record<string, number>> = { HS256: 32, HS384: 48, HS512: 64 };
const publicKeyAlgorithms = [
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
  "PS256",
  "PS384",
  "PS512",
  "RS256",
  "RS384",
  "RS512",
];
const leewayDefaultSeconds = 30;

/** JSON Web Tokens (RFC 7519, RFC 8725) in `Authorization: Bearer`, by `jose`. */
export function jwt<Caller>(options: JwtOptions<Caller>): SchemeVerifier<"jwt", Caller> {
  return {
    kind: "jwt",
    bind(declared, binding) {
      const spec = declaredOptions(declared, binding);
      const algorithms = spec.someOf("algorithms", [...Object.keys(secretBytesMin), ...publicKeyAlgorithms]);
      const key =
        "secret" in options
          ? secretOf(options, algorithms, spec)
          : keysOf(options, algorithms, spec, binding.clock);
      const rules: TokenRules = {
        key,
        algorithms,
        issuers: spec.texts("issuer"),
        audiences: spec.texts("audience"),
        claims: spec.texts("claims"),
        type: spec.text("type"),
        windowSeconds: spec.count("window"),
        leewaySeconds: spec.count("leeway") ?? leewayDefaultSeconds,
      };
      return schemeOf(rules, options, binding.realm, binding.clock);
    },
  };
}

function schemeOf<Caller>(
  rules: TokenRules,
  { caller: find, scopes = scopesIn }: JwtClaims<Caller>,
  realm: string,
  clock: AuthClock,
): AuthScheme<Caller> {
  return {
    verifies: "request",
    // The time of such a token is soon too far away, and it says no other.
    provesOnce: rules.windowSeconds !== undefined,
    challenge: `Bearer realm=${quoted(realm)}`,
    async verify(evidence) {
      const presented = authorization(evidence, "bearer");
      if (presented.kind !== "text") return presented;
      const checked = await checkToken(presented.text, rules, clock.now());
      if (checked.kind !== "valid") return checked;
      const { claims } = checked;
      const caller = await find(claims);
      if (caller === undefined)
        return { kind: "rejected", reason: "the token is of no caller of this service" };
      const expires =
        claims.exp === undefined ? {} : { expiresAtMs: (claims.exp + rules.leewaySeconds) * 1000 };
      return identified({ caller, scopes: scopes(claims), ...expires });
    },
  };
}

/** A public key is never taken for a secret: the algorithms of the spec are all of one sort (RFC 8725, section 3.1). */
function secretOf(
  { secret }: JwtSecret,
  algorithms: readonly string[],
  { fault }: DeclaredOptions,
): Uint8Array {
  const bytes = typeof secret === "string" ? new TextEncoder().encode(secret) : secret;
  for (const algorithm of algorithms) {
    const least = secretBytesMin[algorithm];
    if (least === undefined)
      throw fault(`accepts ${algorithm}, which needs \`jwks\`: a secret is for HS256 to HS512`);
    if (bytes.length < least)
      throw fault(`has a secret of ${bytes.length} bytes: ${algorithm} needs ${least}`);
  }
  return bytes;
}

function keysOf(
  options: JwtKeys,
  algorithms: readonly string[],
  { fault }: DeclaredOptions,
  clock: AuthClock,
): JWTVerifyGetKey {
  const symmetric = algorithms.find((algorithm) => algorithm in secretBytesMin);
  if (symmetric !== undefined) throw fault(`accepts ${symmetric}, which needs \`secret\`, not \`jwks\``);
  const { jwks } = options;
  if (typeof jwks !== "string" && !(jwks instanceof URL)) return createLocalJWKSet(jwks);
  const url = URL.parse(String(jwks));
  const isLocal = url !== null && ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname);
  if (url === null || (url.protocol !== "https:" && !(url.protocol === "http:" && isLocal))) {
    throw fault("reads its keys from an address that is not `https:`: anyone on the way could replace them");
  }
  return keysAt(url, clock, options);
}

function scopesIn({ scope, scp }: JWTPayload): readonly string[] {
  const granted = scope ?? scp;
  if (typeof granted === "string") return granted.split(" ").filter((each) => each !== "");
  return Array.isArray(granted) ? granted.filter((each) => typeof each === "string") : [];
}
