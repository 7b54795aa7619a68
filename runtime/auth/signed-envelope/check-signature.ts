import type { KeyObject } from "node:crypto";
import { omitUndefined } from "../../contract/index.ts";
import { AuthFault, type Envelope, type RawRequest } from "../../ports/index.ts";
import { decodeSignature, isSigned } from "../../signing/index.ts";
import { claimedBy, headersContradict, type Claims } from "./claims.ts";
import type { StepOptions } from "./options.ts";
import { malformedMember, requiredMember } from "./required-member.ts";

/** Verifies the signature of a payload; gives its DER bytes. */
export type CheckSignature = (
  envelope: Envelope,
  claims: Claims,
  request: RawRequest,
  publicKey: KeyObject,
) => Promise<Buffer>;

/** The signature step: encoding (D-16), agreement of the headers (D-23), signed bytes (D-15). */
export function createSignatureCheck({ verifier }: StepOptions): CheckSignature {
  return async (envelope, claims, request, publicKey) => {
    const signature = decodeSignature(requiredMember(claims, "signature"));
    if (signature === undefined) throw malformedMember("signature");
    const enveloped = envelope.kind === "enveloped";
    if (enveloped && headersContradict(claims, request)) {
      throw new AuthFault({ fault: "invalidSignature", reason: "headers-differ" }, claimedBy(claims));
    }
    const { payloadBytes: bytes, payload } = envelope;
    const signed = omitUndefined({ bytes, signature, value: enveloped ? payload : undefined });
    if (!(await isSigned(verifier, publicKey, signed))) {
      throw new AuthFault({ fault: "invalidSignature" }, claimedBy(claims));
    }
    return signature;
  };
}
