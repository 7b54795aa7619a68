import type { KeyObject } from "node:crypto";
import type { Clock } from "../../ports/index.ts";
import { readMessageSignature, type MessageSignature, type SignatureVerifier } from "../../signing/index.ts";
import type { MessageSignatureRules } from "../options.ts";
import type { WireRequest } from "../wire.ts";

/** Longest validity a signature may claim: nonces are remembered that long. */
const validSecondsMax = 300;
/** How far a caller's clock may run ahead. */
const clockSkewSeconds = 30;

/** Why a message signature is refused: sent as `data.reason` of the signature fault. */
export type MessageSignatureRefusal =
  "message-signature" | "message-signature-time" | "replayed" | "nonces-exhausted";

export interface MessageSignatureChecker {
  /** The signature by this key, or the first; nothing if none has all that is asked. */
  read(request: WireRequest, keyId?: string): MessageSignature | undefined;
  /** Verifies it and takes its nonce; answers nothing if it is good. */
  check(signed: MessageSignature | undefined, key: KeyObject): Promise<MessageSignatureRefusal | undefined>;
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
    async check(signed, key) {
      if (signed === undefined) return "message-signature";
      if (!isTimely(signed, clock.now(), nonces.sinceMs)) return "message-signature-time";
      if (!(await verifier.verify(key, signed.base, signed.signature))) return "message-signature";
      const verdict = nonces.take(signed.keyId, signed.nonce, (signed.expires + 1) * 1000);
      if (verdict === "taken") return undefined;
      return verdict === "full" ? "nonces-exhausted" : "replayed";
    },
  };
}

function isTimely({ created, expires }: MessageSignature, nowMs: number, sinceMs: number): boolean {
  const nowSeconds = nowMs / 1000;
  return (
    created <= nowSeconds + clockSkewSeconds &&
    created >= Math.floor(sinceMs / 1000) &&
    expires > nowSeconds &&
    expires >= created &&
    expires - created <= validSecondsMax
  );
}
