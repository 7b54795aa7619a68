import { errors, jwtVerify, type JWTPayload, type JWTVerifyGetKey, type JWTVerifyOptions } from "jose";
import { omitUndefined } from "../../contract/index.ts";

/** Requirements on a token. */
export interface TokenRules {
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

export type CheckedToken =
  | { readonly kind: "valid"; readonly claims: JWTPayload }
  | { readonly kind: "malformed" | "rejected" | "expired"; readonly reason: string };

/** @throws Error where the keys cannot be read. */
export async function checkToken(token: string, rules: TokenRules, nowMs: number): Promise<CheckedToken> {
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
