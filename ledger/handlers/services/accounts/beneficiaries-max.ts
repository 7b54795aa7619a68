/** Beneficiaries that one legal representative may have on one account: ListBeneficiary has no pages (D-34). */
export const beneficiariesMax = 1_000;
/** Bytes of the request that adds one: ListBeneficiary answers with all of them at once. */
export const beneficiaryBytesMax = 4_096;
