import type { KeyObject } from "node:crypto";
import type { Clock } from "../../../store/ports/index.ts";
import type { MessageSignatureRules, SignatureVerifier } from "../../auth-services.ts";
import type { RawRequest } from "../../../protocol/signed-envelope/raw-request.ts";
import { readMessageSignature, type MessageSignature } from "../../signing/index.ts";

/** Longest validity a signature may claim: nonces are remembered that long. */
const validSecondsMax = 300;
/** How far a caller's clock may run ahead. */
const clockSkewSeconds = 30;

/** Why a message signature is refused; `reason` is sent as `data.reason`. */
export type MessageSignatureFault =
  | { readonly reason: "message-signature" | "message-signature-time" | "replayed" }
  /** Its key has too many live nonces. */
  | { readonly reason: "nonces-exhausted"; readonly retryAfterMs: number };

/** By whom a message is signed. */
export interface MessageSigner {
  readonly publicKey: KeyObject;
  /** Whose nonces it takes from: never of the caller's choosing, or one caller could take from another's. */
  readonly owner: string;
  /** The institution of the owner. */
  readonly institutionId: string;
}

export interface MessageSignatureChecker {
  /** The signature by this key, or the first; nothing if none has all that is asked. */
  read(request: RawRequest, keyId?: string): MessageSignature | undefined;
  /** Verifies it and takes its nonce; answers nothing if it is good. */
  check(
    signed: MessageSignature | undefined,
    signer: MessageSigner,
  ): Promise<MessageSignatureFault | undefined>;
}

/** RFC 9421 signatures under `auth.replay: strict` (D-24): bound to method, path and body, to a time, and used once. */
export function createMessageSignatureChecker(
  { nonces, publicOrigin }: MessageSignatureRules,
  clock: Clock,
  verifier: SignatureVerifier,
): MessageSignatureChecker {
  return {
    read(request, keyId) {
      const { body, httpMethod, target } = request;
      const origin = publicOrigin ?? `http://${request.header("host") ?? ""}`;
      const header = (name: string) => request.header(name);
      return readMessageSignature({ body, httpMethod, target, origin, header }, keyId);
    },
    async check(signed, { publicKey, owner, institutionId }) {
      if (signed === undefined) return { reason: "message-signature" };
      if (!isTimely(signed, clock.now())) return { reason: "message-signature-time" };
      if (!(await verifier.verify(publicKey, signed.base, signed.signature)))
        return { reason: "message-signature" };
      const expiresAt = Math.ceil(signed.expires + 1) * 1000;
      const verdict = await nonces.take({ owner, institutionId, nonce: signed.nonce, expiresAt });
      if (verdict.kind === "full") return { reason: "nonces-exhausted", retryAfterMs: verdict.retryAfterMs };
      return verdict.kind === "taken" ? undefined : { reason: "replayed" };
    },
  };
}

function isTimely({ created, expires }: MessageSignature, nowMs: number): boolean {
  const nowSeconds = nowMs / 1000;
  return (
    created <= nowSeconds + clockSkewSeconds &&
    expires > nowSeconds &&
    expires >= created &&
    expires - created <= validSecondsMax
  );
}
