export { isTlsError, networkWord, type NetworkWord } from "./network-words.ts";
export { base32 } from "./base32.ts";
export {
  checkCallbackAddress,
  isDialable,
  portOf,
  type CallbackFault,
  type CallbackRules,
} from "./callback-address.ts";
export {
  auditHash,
  digest,
  firstRoot,
  nextRoot,
  type AuditContent,
  type ChainHead,
  type LinkPlace,
} from "./chains.ts";
export { oneTimePasswordLimits } from "./one-time-password.ts";
export { scopesAllow } from "./scopes.ts";
export { parseTimestamp, timestampText } from "./timestamps.ts";
