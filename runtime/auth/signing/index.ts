export {
  decodeBase64,
  derFromP1363,
  readPublicKey,
  decodeSignature,
  isValidSignature,
  lowSignature,
} from "./signature-encoding.ts";
export { canonicalBytes, isSigned, type SignedPayload } from "./signed-payload.ts";
export { createVerifier, type VerifierOptions } from "./verifier.ts";
