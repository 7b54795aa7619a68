import { limited } from "../limited.ts";
import { textOf } from "../limits.ts";
import type { Bytes } from "../bytes.ts";

/** A public key as JSON (RFC 7517): P-256 for payloads, Ed25519 for notifications. */
export interface VerificationJwk {
  readonly kty?: string;
  readonly crv?: string;
  readonly x?: string;
  readonly y?: string;
  readonly kid?: string;
  readonly alg?: string;
  readonly use?: string;
}

/** Where keys come from. */
export interface KeySource {
  readonly jwksUrl?: string;
  readonly keys?: readonly VerificationJwk[];
  readonly keysMaxAgeSeconds?: number;
  readonly keysTimeoutMs?: number;
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
  readonly now?: () => number;
}

export type SignatureAlgorithm = "ES256" | "EdDSA";

/** The service's public keys: fetched when first needed, kept, and fetched anew when none of them fits. */
export interface KeyCache {
  fits(algorithm: SignatureAlgorithm, signature: Bytes, signed: Bytes): Promise<boolean>;
}

/** Keys are not fetched more often, however many forgeries come. */
const fetchedAtMostEveryMs = 30_000;

/** Nor are they asked for more often where none are known and they cannot be fetched. */
const pauseMs = 5000;

/** Keys that are older than they are kept are used for so long while new ones are fetched; then these are waited for. */
const usedWhileFetchingMs = 3_600_000;

/** How large a set of keys may be. */
const bytesMax = 2 ** 20;

export function keyCache(source: KeySource): KeyCache | undefined {
  // Ages are by the monotonic clock, unless a test brings one.
  const { jwksUrl, now = () => performance.now(), keysMaxAgeSeconds = 300 } = source;
  if (!jwksUrl && !source.keys) return undefined;
  let keys = source.keys;
  let fetchedAtMs = Number.NEGATIVE_INFINITY;
  let failure: { readonly cause: unknown; readonly atMs: number } | undefined;
  let fetching: Promise<void> | undefined;
  const fetchOnce = async (url: string) => {
    try {
      keys = await fetchKeys(url, source);
      fetchedAtMs = now();
      failure = undefined;
    } catch (cause) {
      failure = { cause, atMs: now() };
    }
    fetching = undefined;
  };
  /** Keys of some age at most; older ones at once, up to a further age, while new ones are fetched. */
  const known = async (maxAgeMs: number, furtherMs = 0) => {
    const ageMs = now() - fetchedAtMs;
    if (source.keys || !jwksUrl || (keys && ageMs < maxAgeMs)) return keys ?? [];
    // The service's keys outlive a service that cannot be reached; what is down is not asked by every notification.
    const isPausing = failure && now() - failure.atMs < (keys ? fetchedAtMostEveryMs : pauseMs);
    if (!isPausing) fetching ??= fetchOnce(jwksUrl);
    if (!(ageMs < maxAgeMs + furtherMs)) await fetching;
    if (!keys) throw failure?.cause;
    return keys;
  };
  return {
    async fits(algorithm, signature, signed) {
      const kept = await known(keysMaxAgeSeconds * 1000, usedWhileFetchingMs);
      if (await someFits(kept, algorithm, signature, signed)) return true;
      const anew = await known(fetchedAtMostEveryMs);
      return anew !== kept && (await someFits(anew, algorithm, signature, signed));
    },
  };
}

async function fetchKeys(
  url: string,
  { fetch: own = fetch, keysTimeoutMs = 10_000 }: KeySource,
): Promise<readonly VerificationJwk[]> {
  const place = url.replace(/\?.*/, "");
  const late = () => {
    throw new Error(`${place} gave no keys within ${keysTimeoutMs} ms`);
  };
  return await limited(keysTimeoutMs, undefined, async (signal) => {
    const response = await own(url, { signal, redirect: "manual" });
    // A body that nothing reads would hold its connection.
    const text = response.ok ? await textOf(response, bytesMax) : await response.body?.cancel();
    const keys = text && keysIn(text);
    if (!keys) throw new Error(`${place} gave no keys: HTTP ${response.status}`);
    return keys;
  }).catch((cause: unknown) => (cause === undefined ? late() : Promise.reject(cause)));
}

function isKeySet(value: unknown): value is { readonly keys: readonly VerificationJwk[] } {
  return typeof value === "object" && value !== null && "keys" in value && Array.isArray(value.keys);
}

/** The keys of a set (RFC 7517); undefined if the text is not a set. */
function keysIn(text: string): readonly VerificationJwk[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isKeySet(value) ? value.keys : undefined;
  } catch {
    return undefined;
  }
}

async function someFits(
  keys: readonly VerificationJwk[],
  algorithm: SignatureAlgorithm,
  signature: Bytes,
  signed: Bytes,
): Promise<boolean> {
  const isPayload = algorithm === "ES256";
  const parameters = isPayload
    ? { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" }
    : { name: "Ed25519" };
  const raw = isPayload ? p1363Of(signature) : signature;
  for (const { kty = "", crv, x, y } of keys) {
    if (!raw || crv !== (isPayload ? "P-256" : "Ed25519")) continue;
    const jwk = { kty, crv, ...(x !== undefined && { x }), ...(y !== undefined && { y }) };
    const key = await crypto.subtle.importKey("jwk", jwk, parameters, false, ["verify"]).catch(unlessUnfit);
    if (key && (await crypto.subtle.verify(parameters, key, raw, signed))) return true;
  }
  return false;
}

/** An invalid key does not affect the others. An engine that does not know the algorithm can give no verdict. */
function unlessUnfit(thrown: unknown): undefined {
  if (thrown instanceof Error && thrown.name === "NotSupportedError") throw thrown;
}

/** WebCrypto takes r and s side by side, 32 bytes each; DER has them as two integers. */
function p1363Of(der: Uint8Array): Bytes | undefined {
  const rLength = der[3] ?? 0;
  const sLength = der[rLength + 5] ?? 0;
  const isSequence = der[0] === 0x30 && der[1] === der.length - 2 && der.length === rLength + sLength + 6;
  if (!isSequence || der[2] !== 0x02 || der[rLength + 4] !== 0x02) return undefined;
  const bytes = new Uint8Array(64);
  const integers = [der.slice(4, rLength + 4), der.slice(rLength + 6)];
  for (const [at, integer] of integers.entries()) {
    const digits = integer.slice(Math.max(0, integer.length - 32));
    if (integer.length > 33 || (integer.length === 33 && integer[0] !== 0)) return undefined;
    bytes.set(digits, (at + 1) * 32 - digits.length);
  }
  return bytes;
}
