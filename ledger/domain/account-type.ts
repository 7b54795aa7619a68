import type { AccountType } from "./records/accounts.ts";

/** The seven types of account, in the document's order (section 2.2). */
export const accountTypes = [
  "SAVINGS",
  "CHECKING",
  "WALLET",
  "MONEY_MARKET",
  "CREDIT_CARD",
  "GL",
  "CUSTODIAL",
] as const satisfies readonly AccountType[];
