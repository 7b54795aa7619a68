/** The authentication schemes: one line each. An interface's row names the one that it uses. */
export { signedEnvelope, type SignedEnvelopeOptions } from "./signed-envelope/index.ts";

export { createCallerCache, type CallerCacheOptions } from "./caller-cache.ts";
export { createNonceRegister, type NonceRegisterOptions } from "./message-signatures/index.ts";
