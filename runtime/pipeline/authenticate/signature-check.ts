import type { KeyObject } from "node:crypto";
import { decodeSignature, isSigned } from "../../signing/index.ts";
import type { Envelope } from "../decode/index.ts";
import type { RawRequest } from "../raw-exchange.ts";
import type { AuthenticateOptions } from "./options.ts";
import { headersContradict, type Claims } from "./claims.ts";
import { malformedMember, requiredMember } from "./required-member.ts";

/** Verifies the signature of a payload; gives its DER bytes. */
export type CheckSignature = (
  envelope: Envelope,
  claims: Claims,
  request: RawRequest,
  publicKey: KeyObject,
) => Promise<Buffer>;

/** The signature step: encoding (D-16), agreement of the headers (D-23), signed bytes (D-15). */
export function createSignatureCheck(options: AuthenticateOptions): CheckSignature {
  const { interfaceDescriptor, fault, verifier } = options;

  return async (envelope, claims, request, publicKey) => {
    const signature = decodeSignature(requiredMember(interfaceDescriptor, claims, "signature"));
    if (signature === undefined) throw malformedMember(interfaceDescriptor, "signature");
    const enveloped = envelope.kind === "enveloped";
    if (enveloped && headersContradict(claims, request)) {
      throw fault("invalidSignature", { reason: "headers-differ" });
    }
    const { payloadBytes: bytes, payload } = envelope;
    const signed = { bytes, signature, ...(enveloped ? { value: payload } : {}) };
    if (!(await isSigned(verifier, publicKey, signed))) throw fault("invalidSignature");
    return signature;
  };
}
