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
