import type { AccountStatus, AccountType } from "./records/accounts.ts";

/** The eight states of an account, in the document's order (section 3). */
export const accountStatuses = [
  "CREATED",
  "ACTIVE",
  "CURTAILED",
  "DORMANT",
  "SUSPENDED",
  "BLOCKED",
  "CLOSED",
  "DISABLED",
] as const satisfies readonly AccountStatus[];

/** The two directions in which money moves over an account. */
export type Side = "debit" | "credit";

/** The sides of a movement that each state allows (D-26). */
export const movementsAllowed: Readonly<Record<AccountStatus, readonly Side[]>> = {
  CREATED: [],
  ACTIVE: ["debit", "credit"],
  CURTAILED: ["credit"],
  DORMANT: ["credit"],
  SUSPENDED: [],
  BLOCKED: [],
  CLOSED: [],
  DISABLED: [],
};

/** The state after money moved: a credit wakes a DORMANT account (D-26). */
export function statusAfterMovement(status: AccountStatus, side: Side): AccountStatus {
  return status === "DORMANT" && side === "credit" ? "ACTIVE" : status;
}

/** The effect of a requested state on an account: a change, nothing, or an error (D-25). */
export function statusChange(
  present: AccountStatus,
  requested: AccountStatus,
  rules: { readonly closedIsFinal: boolean },
): "change" | "none" | "closed-is-final" {
  if (present === requested) return "none";
  if (present === "CLOSED" && rules.closedIsFinal) return "closed-is-final";
  return "change";
}

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

const checkModulus = 97;
const accountNumber = /^[1-9][0-9]{14}$/;

/** A new account number (D-30): 13 random digits and their ISO 7064 MOD 97-10 check pair. */
export function newAccountNumber(ids: { integer(limit: number): number }): string {
  // Two draws, because a generator need not be uniform beyond 32 bits; no leading zero, so no reader drops one.
  const head = 1_000_000 + ids.integer(9_000_000);
  const tail = ids.integer(1_000_000);
  return withCheckPair(`${head}${tail.toString().padStart(6, "0")}`);
}

/** What `newAccountNumber` draws where it makes this number. */
export function accountNumberDraws(number: string): readonly number[] {
  return [Number(number.slice(0, 7)) - 1_000_000, Number(number.slice(7, 13))];
}

/** Appends the check pair that makes the whole number 1 modulo 97. */
export function withCheckPair(digits: string): string {
  const remainder = Number((BigInt(digits) * 100n) % BigInt(checkModulus));
  return `${digits}${(checkModulus + 1 - remainder).toString().padStart(2, "0")}`;
}

/** Whether a number is one that this ledger could have issued. Seeded foreign numbers need not be (D-30). */
export function isIssuedAccountNumber(number: string): boolean {
  return accountNumber.test(number) && BigInt(number) % BigInt(checkModulus) === 1n;
}

/** Purposes of accounts of the bank itself. */
const purposes = ["clearing", "fee-income", "tax-payable"] as const;

/** Purposes of the bank's own accounts. */
export type GeneralLedgerPurpose = (typeof purposes)[number];

/** The customer that stands for the institution itself. */
export const bankCustomerId = "bank";

/** Identifier of the bank's own account for a purpose and currency. */
export function generalLedgerId(purpose: GeneralLedgerPurpose, currency: string): string {
  return `gl-${purpose}-${currency}`;
}

/** Whether an account has such an identifier. */
export function isGeneralLedgerId(id: string): boolean {
  return purposes.some((purpose) => id.startsWith(`gl-${purpose}-`));
}
