export { decodeBase64, readPublicKey, decodeSignature, lowSignature } from "./signature-encoding.ts";
export {
  parseSignatureHeader,
  type SignatureHeader,
  readMessageSignature,
  type MessageSignature,
  signMessage,
  type MessageToSign,
  type SignedMessage,
} from "./message-signature.ts";
export { canonicalBytes, isSigned, type SignedPayload } from "./signed-payload.ts";
export { createVerifier, type VerifierOptions } from "./verifier.ts";
