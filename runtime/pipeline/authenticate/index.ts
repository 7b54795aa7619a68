export { createAuthenticate, type Authenticate, type AuthenticatedCall } from "./authenticate.ts";
export { createCallerCache, type CallerCache, type CallerCacheOptions } from "./caller-cache.ts";
export { createRateLimiter, type RateLimiter } from "./rate-limiter.ts";
export {
  createNonceRegister,
  type NonceRegister,
  type NonceRegisterOptions,
  type NonceVerdict,
} from "./nonce-register.ts";
