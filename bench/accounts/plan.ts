/** The size of a synthetic bank, and what follows from a record's place in it. */
export interface BankPlan {
  readonly accounts: number;
  /** Two for each transaction between two accounts. Default: none, and balances come without postings. */
  readonly postings?: number;
  /** Transactions of the first account, beside those of `postings` and without postings. Default: none. */
  readonly busyTransactions?: number;
  readonly seed: number;
  /** SPKI PEM of the key that all its users sign with. */
  readonly publicKeyPem: string;
  /** The API key of all its users. */
  readonly apiKey: string;
}

export const institutionId = "021000021";
export const startMs = Date.UTC(2020, 0, 1);
/** One account in two minutes. */
const betweenMs = 120_000;

export function customerOf(index: number, customers: number, seed: number): string {
  return customerIdAt(drawsOf(index, seed + 4)(customers));
}

export function currencyOf(index: number, seed: number): string {
  return drawsOf(index, seed + 3)(100) < 90 ? "USD" : "EUR";
}

export function accountIdAt(index: number): string {
  return `01JD${String(index).padStart(22, "0")}`;
}

export function accountNumberAt(index: number): string {
  return String(100_000_000_000_000 + index * 7);
}

export function customerIdAt(index: number): string {
  return `01JC${String(index).padStart(22, "0")}`;
}

/** When the account was created, in milliseconds. */
export function createdAt(index: number): number {
  return startMs + index * betweenMs;
}

/** Numbers that depend on the place and the seed alone (a xorshift generator). */
export function drawsOf(index: number, seed: number): (limit: number) => number {
  let state = (Math.imul(index + 1, 0x9e3779b1) ^ Math.imul(seed + 1, 0x85ebca6b)) >>> 0 || 1;
  return (limit) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state % limit;
  };
}
