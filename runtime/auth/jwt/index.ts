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

export interface KeySourceOptions {
  /** Fetches are given up after so long. Default 5,000. */
  readonly timeoutMs?: number;
  /** Keys are read again after so long; those up to twice as old are used meanwhile. Default 600,000. */
  readonly freshMs?: number;
  /** Keys that cannot be read again are used for so long. Default 86,400,000: a day. */
  readonly staleMs?: number;
  /** No two fetches start within so long, whatever tokens name. Default 30,000. */
  readonly retryMs?: number;
  readonly fetch?: typeof fetch;
}

const documentBytesMax = 262_144;

/**
 * The public keys that an issuer publishes at an address (RFC 7517, section 5). Read when first needed, when they are no
 * longer fresh and when a token names an unknown one, by one fetch for all who wait.
 * @throws Error from the returned function where no keys can be had.
 */
function keysAt(url: URL, clock: AuthClock, options: KeySourceOptions = {}): JWTVerifyGetKey {
  const { freshMs = 600_000, staleMs = 86_400_000, retryMs = 30_000 } = options;
  let known: { readonly find: JWTVerifyGetKey; readonly readAtMs: number } | undefined;
  let triedAtMs = -Infinity;
  let problem = "they have not been read yet";
  let pending: Promise<void> | undefined;

  async function fetchOnce(): Promise<void> {
    try {
      known = { find: createLocalJWKSet(await fetchKeys(url, options)), readAtMs: clock.now() };
    } catch (cause) {
      problem = cause instanceof Error ? cause.message : "the fetch failed";
    }
  }

  /** Starts a fetch, or joins the one under way; does nothing soon after the last one. */
  async function refresh(): Promise<void> {
    if (pending === undefined) {
      if (Math.abs(clock.now() - triedAtMs) < retryMs) return;
      triedAtMs = clock.now();
      pending = fetchOnce().finally(() => (pending = undefined));
    }
    await pending;
  }

  function usable(): JWTVerifyGetKey {
    if (known !== undefined && clock.now() - known.readAtMs < staleMs) return known.find;
    throw new Error(`the keys at ${url.origin}${url.pathname} cannot be read: ${problem}`);
  }

  return async (header, token) => {
    // A clock may be set back: a key that was withdrawn is not believed for longer.
    const ageMs = known === undefined ? Infinity : Math.abs(clock.now() - known.readAtMs);
    const refreshed = ageMs >= freshMs ? refresh() : undefined;
    if (ageMs >= 2 * freshMs) await refreshed;
    const before = usable();
    try {
      return await before(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      await refresh();
      if (known?.find === before) throw error;
      return usable()(header, token);
    }
  };
}

async function fetchKeys(
  url: URL,
  { timeoutMs = 5000, fetch: get = fetch }: KeySourceOptions,
): Promise<JSONWebKeySet> {
  const response = await get(url, {
    headers: { accept: "application/jwk-set+json, application/json" },
    redirect: "error",
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new Error(`the answer has status ${response.status}`);
  }
  const document: unknown = JSON.parse(await textOf(response));
  if (!isKeySet(document)) throw new Error("the answer is no JSON Web Key Set");
  return document;
}

/** An issuer that is not what it should be must not fill the memory. */
async function textOf({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > documentBytesMax) throw new Error(`the answer has more than ${documentBytesMax} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function isKeySet(document: unknown): document is JSONWebKeySet {
  return (
    typeof document === "object" &&
    document !== null &&
    "keys" in document &&
    Array.isArray(document.keys) &&
    document.keys.every((key) => typeof key === "object" && key !== null)
  );
}
