import { LRUCache } from "lru-cache";
import type { Clock } from "../../store/ports/index.ts";

/** Where a credential stands after one more request. */
export interface RateVerdict {
  readonly allowed: boolean;
  /** `RateLimit-Limit`, `RateLimit-Remaining`, `RateLimit-Reset`; `Retry-After` on errors. Seconds, rounded up. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Counts one request of a credential. */
export type RateLimiter = (userName: string) => RateVerdict;

interface Bucket {
  tokens: number;
  filledAtMs: number;
}

export interface RateLimiterOptions {
  readonly clock: Clock;
  readonly perSecond: number;
  readonly burst: number;
}

const bucketsMax = 10_000;

/** A token bucket per credential (D-45): `burst` requests at once, refilled by `perSecond`. */
export function createRateLimiter({ clock, perSecond, burst }: RateLimiterOptions): RateLimiter {
  const buckets = new LRUCache<string, Bucket>({ max: bucketsMax });

  return (userName) => {
    const nowMs = clock.now();
    const bucket = buckets.get(userName) ?? { tokens: burst, filledAtMs: nowMs };
    const elapsedMs = Math.max(0, nowMs - bucket.filledAtMs);
    bucket.tokens = Math.min(burst, bucket.tokens + (elapsedMs * perSecond) / 1000);
    bucket.filledAtMs = nowMs;
    const allowed = bucket.tokens >= 1;
    if (allowed) bucket.tokens -= 1;
    buckets.set(userName, bucket);
    const headers = {
      "RateLimit-Limit": String(burst),
      "RateLimit-Remaining": String(Math.floor(bucket.tokens)),
      "RateLimit-Reset": String(Math.ceil((burst - bucket.tokens) / perSecond)),
    };
    if (allowed) return { allowed, headers };
    const retryAfter = String(Math.max(1, Math.ceil((1 - bucket.tokens) / perSecond)));
    return { allowed, headers: { ...headers, "Retry-After": retryAfter } };
  };
}
