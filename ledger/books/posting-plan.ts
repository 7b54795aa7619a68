import { postingHash, type ChainHead, type LinkPlace } from "../../runtime/domain/index.ts";
import type { ChainedPostingRecord, PostingRecord } from "../../runtime/ports/index.ts";

/** Postings that balance, and what they add to each account. */
export interface PostingPlan {
  readonly institutionId: string;
  readonly transactionId: string;
  readonly postings: readonly PostingRecord[];
  readonly moves: readonly LedgerMove[];
}

/** `byMinor` is added to the ledger of an account, which must be kept in `currency`. */
export interface LedgerMove {
  readonly accountId: string;
  readonly currency: string;
  readonly byMinor: bigint;
}

/**
 * Checks that postings belong to one transaction and sum to zero in every currency, and nets them by account.
 * Throws otherwise: such postings are a bug of the caller.
 */
export function planPostings(postings: readonly PostingRecord[]): PostingPlan {
  const [first] = postings;
  if (first === undefined) throw new Error("postings.append: there are no postings");
  const moves = new Map<string, LedgerMove>();
  const sums = new Map<string, bigint>();
  for (const { institutionId, transactionId, accountId, currency, amountMinor } of postings) {
    if (institutionId !== first.institutionId || transactionId !== first.transactionId) {
      throw new Error("postings.append: the postings are of more than one transaction");
    }
    const move = moves.get(accountId) ?? { accountId, currency, byMinor: 0n };
    if (move.currency !== currency) throw new Error(otherCurrency({ accountId, currency }));
    moves.set(accountId, { ...move, byMinor: move.byMinor + amountMinor });
    sums.set(currency, (sums.get(currency) ?? 0n) + amountMinor);
  }
  for (const [currency, sum] of sums) {
    if (sum !== 0n) throw new Error(`postings.append: the postings in ${currency} sum to ${sum}, not to 0`);
  }
  const { institutionId, transactionId } = first;
  return { institutionId, transactionId, postings, moves: [...moves.values()] };
}

export const noHead: ChainHead = { position: 0, hash: "" };

/**
 * Links postings to the chains of their accounts, in their order. `heads` has the head of every account and is brought
 * up to date.
 */
export function linkPostings(
  { postings }: PostingPlan,
  heads: Map<string, ChainHead>,
): readonly ChainedPostingRecord[] {
  return postings.map((posting) => {
    const { position: last, hash: previousHash } = heads.get(posting.accountId) ?? noHead;
    const place: LinkPlace = { position: last + 1, previousHash };
    const head = { position: place.position, hash: postingHash(posting, place) };
    heads.set(posting.accountId, head);
    return { ...posting, ...head };
  });
}

/** Thrown by an engine when no account has the move's id and currency. */
export function otherCurrency(move: { readonly accountId: string; readonly currency: string }): string {
  return `postings.append: ${move.accountId} is no account in ${move.currency}`;
}

/** The message of the error for a ledger that would leave the range of a signed 64-bit integer. */
export function outOfRange(move: { readonly accountId: string }): string {
  return `postings.append: the ledger of ${move.accountId} would leave the range of 64-bit integers`;
}
