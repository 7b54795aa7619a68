import type { SchemeBinding, Verdict } from "./port.ts";

export interface SignedOnce {
  /** Of a key whose signature has been verified. */
  readonly keyId: string;
  readonly nonce: string;
  readonly expiresAtMs: number;
}

/**
 * Takes the nonce of a verified signature; the verdict where it has been taken before.
 * @throws Error where the register is full for this key: nothing more can be accepted without forgetting.
 */
export async function takeOnce(
  { scheme, replays }: SchemeBinding,
  { keyId, nonce, expiresAtMs }: SignedOnce,
): Promise<(Verdict<never> & { readonly kind: "replayed" }) | undefined> {
  const taken = await replays.take({ owner: `${scheme} ${keyId}`, nonce, expiresAtMs });
  if (taken === "full") throw new Error("a key has more signatures in their time window than are remembered");
  return taken === "taken" ? undefined : { kind: "replayed" };
}
