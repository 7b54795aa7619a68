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
