export {
  decodeBase64,
  derFromP1363,
  readPublicKey,
  decodeSignature,
  isValidSignature,
  lowSignature,
  canonicalBytes,
  isSigned,
  type SignedPayload,
} from "./signatures.ts";
export { createVerifier, type VerifierOptions } from "./verifier.ts";
