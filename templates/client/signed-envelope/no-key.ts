import type { Signer } from "../signing.ts";
import { type AuthMember, enveloped, type Transport } from "./method.ts";

/** The signer of a caller who has no key yet. Operations that need none are sent; each other rejects with a `TypeError`. */
export const noKey: Signer = {
  keyId: "none",
  sign: () => Promise.reject(new TypeError("the operation needs a key: give a signer")),
};

/** In an envelope that proves no key. */
export function unsigned(...auth: AuthMember[]): Transport {
  return { ...enveloped(...auth), unsigned: true };
}
