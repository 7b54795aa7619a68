import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from "jose";
import type { AuthClock } from "../port.ts";

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
export function keysAt(url: URL, clock: AuthClock, options: KeySourceOptions = {}): JWTVerifyGetKey {
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
