/** What an account of the bank itself is for. */
export type GeneralLedgerPurpose = "clearing" | "fee-income" | "tax-payable";

/** Identifier of the bank's own account for a purpose and currency. */
export function generalLedgerId(purpose: GeneralLedgerPurpose, currency: string): string {
  return `gl-${purpose}-${currency}`;
}
