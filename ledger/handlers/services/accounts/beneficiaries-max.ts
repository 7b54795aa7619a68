/** Beneficiaries that one legal representative may have on one account: ListBeneficiary has no pages (D-34). */
export const beneficiariesMax = 1_000;
