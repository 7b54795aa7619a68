export { decodeBase64 } from "./base64.ts";
export { readPublicKey } from "./public-key.ts";
export { decodeSignature, lowSignature } from "./signature-encoding.ts";
export { parseSignatureHeader, type SignatureHeader } from "./signature-header.ts";
export { canonicalBytes, isSigned, type SignedPayload } from "./signed-payload.ts";
export { readMessageSignature, type MessageSignature } from "./message-signature.ts";
export { signMessage, type MessageToSign } from "./sign-message.ts";
export type { SignedMessage } from "./message-component.ts";
export { createVerifier, type VerifierOptions } from "./verifier.ts";
