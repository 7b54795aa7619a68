import type { Signer } from "../signing.ts";

/** The signer of a caller who has no key yet. Operations that ask for a key are refused by the service. */
export const noKey: Signer = { keyId: "none", sign: () => Promise.resolve("none") };
