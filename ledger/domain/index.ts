/** What `ledger-server/domain` offers: the rules of the bank, and those of the engine. */
export { isTlsError, networkWord, type NetworkWord } from "../../runtime/contract/network-words.ts";
export { parseTimestamp, timestampText } from "../../runtime/contract/timestamps.ts";
export { base32 } from "../../runtime/auth/base32.ts";
export { oneTimePasswordLimits } from "../../runtime/auth/one-time-password.ts";
export { scopesAllow } from "../../runtime/auth/scopes.ts";
export {
  checkCallbackAddress,
  isDialable,
  portOf,
  type CallbackFault,
  type CallbackRules,
} from "../../runtime/events/callback-address.ts";
export {
  auditHash,
  digest,
  firstRoot,
  nextRoot,
  type AuditContent,
  type ChainHead,
  type LinkPlace,
} from "../../runtime/store/chains.ts";
export {
  accountNumberDraws,
  isIssuedAccountNumber,
  newAccountNumber,
  withCheckPair,
} from "./account-number.ts";
export {
  accountStatuses,
  movementsAllowed,
  statusAfterMovement,
  statusChange,
  type Side,
} from "./account-status.ts";
export { accountTypes } from "./account-type.ts";
export { availableMinor } from "./balances.ts";
export { allCurrencies, currencyOf, type Currency } from "./currency.ts";
export { filterLimits, parseFilter, type FilterFault } from "./filter/index.ts";
export {
  amountMinorMax,
  fitsBalance,
  fitsLedger,
  moneyDecimal,
  parseMoney,
  type Money,
  type MoneyFault,
} from "./money.ts";
export { mapIdentifications } from "./identification.ts";
export {
  bankCustomerId,
  generalLedgerId,
  isGeneralLedgerId,
  type GeneralLedgerPurpose,
} from "./general-ledger.ts";
export { heldMinor, legsOf, netByAccount, type Charge, type Leg, type Movement } from "./postings.ts";
export { transactionEffects, transactionStatusChange, type TransactionEffect } from "./transaction-status.ts";
export {
  accountContentHash,
  postingHash,
  transactionContentHash,
  type PostingContent,
} from "./content-hashes.ts";
