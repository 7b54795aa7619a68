export {
  decodeBase64,
  derFromP1363,
  readPublicKey,
  decodeSignature,
  isValidSignature,
  lowSignature,
  canonicalBytes,
  isSigned,
  type SignedBytes,
  type SignedPayload,
} from "./signatures.ts";
