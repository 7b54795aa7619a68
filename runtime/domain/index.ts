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
  accountContentHash,
  auditHash,
  firstRoot,
  nextRoot,
  postingHash,
  startTransactionContentHash,
  transactionContentHash,
  type AccountContent,
  type AuditContent,
  type ChainHead,
  type LinkPlace,
  type PostingContent,
  type TransactionContent,
} from "./chains.ts";
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
export { oneTimePasswordLimits } from "./one-time-password.ts";
export {
  bankCustomerId,
  generalLedgerId,
  isGeneralLedgerId,
  type GeneralLedgerPurpose,
} from "./general-ledger.ts";
export { heldMinor, legsOf, netByAccount, type Charge, type Leg, type Movement } from "./postings.ts";
export { scopesAllow } from "./scopes.ts";
export { parseTimestamp, timestampText } from "./timestamps.ts";
export { transactionEffects, transactionStatusChange, type TransactionEffect } from "./transaction-status.ts";
