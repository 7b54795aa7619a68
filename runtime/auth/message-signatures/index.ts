export {
  createMessageSignatureChecker,
  type MessageSignatureChecker,
  type MessageSignatureRefusal,
  type MessageSigner,
} from "./check-message-signature.ts";
export { createNonceRegister, type NonceRegisterOptions } from "./nonce-register.ts";
