import {
  startTransactionContentHash,
  type PostingContent,
  type TransactionContent,
} from "../../domain/content-hashes.ts";
import type { Leg } from "../../domain/postings.ts";

/** The sums and hashes of a transaction's postings that verification compares. No posting is kept, however many there are. */
export interface Posted {
  readonly count: number;
  readonly sums: ReadonlyMap<string, bigint>;
  /** Whether they are exactly the expected legs, in any order. */
  readonly isExpected: boolean;
  /** The transaction with these postings. */
  readonly contentHash: string;
}

/** Passes over the postings of a transaction, which are in the order of their identifiers. */
export function passPosted(
  transaction: TransactionContent,
  postings: Iterable<PostingContent>,
  expected: readonly Leg[],
): Posted {
  const content = startTransactionContentHash(transaction);
  const missing = new Map<string, number>();
  for (const leg of expected) missing.set(legText(leg), (missing.get(legText(leg)) ?? 0) + 1);
  const sums = new Map<string, bigint>();
  let count = 0;
  let isSurplus = false;
  for (const posting of postings) {
    count += 1;
    content.add(posting);
    sums.set(posting.currency, (sums.get(posting.currency) ?? 0n) + posting.amountMinor);
    const left = missing.get(legText(posting)) ?? 0;
    if (left === 0) isSurplus = true;
    else missing.set(legText(posting), left - 1);
  }
  const isExpected = !isSurplus && count === expected.length;
  return { count, sums, isExpected, contentHash: content.end() };
}

const shownMax = 20;

/** As a finding names legs: the first of them where there are many. */
export function legsText(legs: readonly Leg[]): string {
  const shown = legs.slice(0, shownMax).map(legText).toSorted().join(", ");
  return legs.length > shownMax ? `${shown} and ${legs.length - shownMax} more` : shown;
}

function legText({ accountId, currency, amountMinor }: Leg): string {
  return `${accountId} ${amountMinor} ${currency}`;
}
