export { decodeBase64 } from "./base64.ts";
export { readPublicKey } from "./public-key.ts";
export { decodeSignature } from "./signature-encoding.ts";
export { createVerifier, type SignatureVerifier, type VerifierOptions } from "./verifier.ts";
