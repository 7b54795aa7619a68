export {
  accountNumberDraws,
  isIssuedAccountNumber,
  newAccountNumber,
  withCheckPair,
} from "../../ledger/domain/account-number.ts";
export {
  accountStatuses,
  movementsAllowed,
  statusAfterMovement,
  statusChange,
  type Side,
} from "../../ledger/domain/account-status.ts";
export { accountTypes } from "../../ledger/domain/account-type.ts";
export { availableMinor } from "../../ledger/domain/balances.ts";
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
export { allCurrencies, currencyOf, type Currency } from "../../ledger/domain/currency.ts";
export { filterLimits, parseFilter, type FilterFault } from "../../ledger/domain/filter/index.ts";
export {
  amountMinorMax,
  fitsBalance,
  fitsLedger,
  moneyDecimal,
  parseMoney,
  type Money,
  type MoneyFault,
} from "../../ledger/domain/money.ts";
export { mapIdentifications } from "../../ledger/domain/identification.ts";
export { oneTimePasswordLimits } from "./one-time-password.ts";
export {
  bankCustomerId,
  generalLedgerId,
  isGeneralLedgerId,
  type GeneralLedgerPurpose,
} from "../../ledger/domain/general-ledger.ts";
export {
  heldMinor,
  legsOf,
  netByAccount,
  type Charge,
  type Leg,
  type Movement,
} from "../../ledger/domain/postings.ts";
export { scopesAllow } from "./scopes.ts";
export { parseTimestamp, timestampText } from "./timestamps.ts";
export {
  transactionEffects,
  transactionStatusChange,
  type TransactionEffect,
} from "../../ledger/domain/transaction-status.ts";
export {
  accountContentHash,
  postingHash,
  transactionContentHash,
  type PostingContent,
} from "../../ledger/domain/content-hashes.ts";
