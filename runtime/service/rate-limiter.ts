import type { RateOptions } from "./options.ts";

/** Counts the calls of each caller: a bucket that fills evenly, up to `burst`. */
export interface RateLimiter {
  /** Takes one call; otherwise the seconds until there is room for one. */
  take(key: string): { readonly ok: true } | { readonly ok: false; readonly retryAfterS: number };
}

interface Bucket {
  tokens: number;
  filledAtMs: number;
}

/** Callers remembered at once. Beyond them, the one seen longest ago is forgotten. */
const callersMax = 100_000;
const minuteMs = 60_000;

export function createRateLimiter(options: RateOptions, now: () => number): RateLimiter {
  const { callsPerMinute, burst = callsPerMinute } = options;
  if (!(callsPerMinute > 0) || !(burst >= 1))
    throw new RangeError("rate: give `callsPerMinute` above 0 and a `burst` of at least 1");
  const perMs = callsPerMinute / minuteMs;
  const buckets = new Map<string, Bucket>();

  return {
    take(key) {
      const nowMs = now();
      const bucket = buckets.get(key) ?? { tokens: burst, filledAtMs: nowMs };
      const elapsedMs = Math.max(0, nowMs - bucket.filledAtMs);
      bucket.tokens = Math.min(burst, bucket.tokens + elapsedMs * perMs);
      bucket.filledAtMs = nowMs;
      buckets.delete(key);
      buckets.set(key, bucket);
      if (buckets.size > callersMax) forgetOldest(buckets);
      if (bucket.tokens < 1) return { ok: false, retryAfterS: Math.ceil((1 - bucket.tokens) / perMs / 1000) };
      bucket.tokens -= 1;
      return { ok: true };
    },
  };
}

function forgetOldest(buckets: Map<string, Bucket>): void {
  const [oldest] = buckets.keys();
  if (oldest !== undefined) buckets.delete(oldest);
}
