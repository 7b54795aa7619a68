import type { RateOptions } from "./options.ts";

/** Where a caller stands after one more call. */
export interface Taken {
  readonly ok: boolean;
  /** `RateLimit-Limit`, `RateLimit-Remaining`, `RateLimit-Reset`: calls, and seconds rounded up. */
  readonly headers: Readonly<Record<string, string>>;
  /** Seconds until there is room for one. Absent where there was. */
  readonly retryAfterS?: number;
}

/** Counts the calls of each caller (D-45): a bucket that fills evenly, up to `burst`. */
export interface RateLimiter {
  take(key: string): Taken;
}

interface Bucket {
  tokens: number;
  filledAtMs: number;
}

/** Callers remembered at once. Beyond them, the one seen longest ago is forgotten. */
const callersMax = 100_000;

export function createRateLimiter(options: RateOptions, now: () => number): RateLimiter {
  const { callsPerMinute, burst = callsPerMinute } = options;
  if (!(callsPerMinute > 0) || !(burst >= 1))
    throw new RangeError("rate: give `callsPerMinute` above 0 and a `burst` of at least 1");
  const perSecond = callsPerMinute / 60;
  const secondsFor = (tokens: number): number => Math.ceil(tokens / perSecond);
  const buckets = new Map<string, Bucket>();

  return {
    take(key) {
      const nowMs = now();
      const bucket = buckets.get(key) ?? { tokens: burst, filledAtMs: nowMs };
      const elapsedMs = Math.max(0, nowMs - bucket.filledAtMs);
      bucket.tokens = Math.min(burst, bucket.tokens + (elapsedMs * perSecond) / 1000);
      bucket.filledAtMs = nowMs;
      buckets.delete(key);
      buckets.set(key, bucket);
      if (buckets.size > callersMax) forgetOldest(buckets);
      const ok = bucket.tokens >= 1;
      if (ok) bucket.tokens -= 1;
      const headers = {
        "RateLimit-Limit": String(burst),
        "RateLimit-Remaining": String(Math.floor(bucket.tokens)),
        "RateLimit-Reset": String(secondsFor(burst - bucket.tokens)),
      };
      return ok ? { ok, headers } : { ok, headers, retryAfterS: Math.max(1, secondsFor(1 - bucket.tokens)) };
    },
  };
}

function forgetOldest(buckets: Map<string, Bucket>): void {
  const [oldest] = buckets.keys();
  if (oldest !== undefined) buckets.delete(oldest);
}
