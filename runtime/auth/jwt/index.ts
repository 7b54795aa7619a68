import {
  createLocalJWKSet,
  errors,
  jwtVerify,
  type JSONWebKeySet,
  type JWTPayload,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
} from "jose";
import { omitUndefined } from "../../contract/index.ts";
import {
  authorization,
  declaredOptions,
  type DeclaredOptions,
  type Found,
  identified,
  quoted,
} from "../scheme-parts.ts";
import type { AuthClock, AuthScheme, SchemeVerifier } from "../port.ts";
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

/** Requirements on a token. */
interface TokenRules {
  readonly key: Uint8Array | JWTVerifyGetKey;
  readonly algorithms: readonly string[];
  readonly issuers: readonly string[];
  readonly audiences: readonly string[];
  readonly claims: readonly string[];
  readonly type: string | undefined;
  /** How far `iat` may lie from now; `exp` is required where it is absent. */
  readonly windowSeconds: number | undefined;
  readonly leewaySeconds: number;
}

type CheckedToken =
  | { readonly kind: "valid"; readonly claims: JWTPayload }
  | { readonly kind: "malformed" | "rejected" | "expired"; readonly reason: string };

/** @throws Error where the keys cannot be read. */
async function checkToken(token: string, rules: TokenRules, nowMs: number): Promise<CheckedToken> {
  const { key, windowSeconds } = rules;
  try {
    const options = optionsOf(rules, nowMs);
    const { payload } = await (typeof key === "function"
      ? jwtVerify(token, key, options)
      : jwtVerify(token, key, options));
    if (windowSeconds === undefined || isWithin(payload.iat, windowSeconds, nowMs)) {
      return { kind: "valid", claims: payload };
    }
    return { kind: "expired", reason: "iat is too far from now" };
  } catch (error) {
    if (error instanceof errors.JOSEError) return faultOf(error);
    throw error;
  }
}

function optionsOf(rules: TokenRules, nowMs: number): JWTVerifyOptions {
  const { algorithms, issuers, audiences, claims, type, windowSeconds, leewaySeconds } = rules;
  return omitUndefined({
    algorithms: [...algorithms],
    currentDate: new Date(nowMs),
    clockTolerance: leewaySeconds,
    requiredClaims: [...claims, windowSeconds === undefined ? "exp" : "iat"],
    issuer: issuers.length === 0 ? undefined : [...issuers],
    audience: audiences.length === 0 ? undefined : [...audiences],
    typ: type,
  });
}

/** A window has no leeway: its two ends are the tolerance. */
function isWithin(iat: number | undefined, windowSeconds: number, nowMs: number): boolean {
  return iat !== undefined && Math.abs(nowMs / 1000 - iat) <= windowSeconds;
}

/** Words of our own: a message of the library may repeat a part of the token. */
function faultOf(error: errors.JOSEError): CheckedToken {
  if (error instanceof errors.JWTExpired) return { kind: "expired", reason: "exp has passed" };
  if (error instanceof errors.JWTClaimValidationFailed) {
    return { kind: "rejected", reason: "a claim is missing or not the one that the spec asks for" };
  }
  switch (error.code) {
    case "ERR_JWS_INVALID":
    case "ERR_JWT_INVALID":
      return { kind: "malformed", reason: "not a JSON Web Token" };
    case "ERR_JOSE_ALG_NOT_ALLOWED":
      return { kind: "rejected", reason: "the algorithm is not one that the spec accepts" };
    case "ERR_JWKS_NO_MATCHING_KEY":
      return { kind: "rejected", reason: "the issuer has no such key" };
    case "ERR_JWKS_MULTIPLE_MATCHING_KEYS":
      return { kind: "rejected", reason: "several keys fit: the token has to name one" };
    default:
      return { kind: "rejected", reason: "the signature does not hold" };
  }
}
