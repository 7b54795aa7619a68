export {
  createMessageSignatureChecker,
  type MessageSignatureChecker,
  type MessageSignatureFault,
  type MessageSigner,
} from "./check-message-signature.ts";
export { createNonceRegister, type NonceRegisterOptions } from "./nonce-register.ts";
