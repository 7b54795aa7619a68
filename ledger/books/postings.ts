import { fitsLedger } from "../domain/money.ts";
import { postingHash } from "../domain/content-hashes.ts";
import { together, type ChainHead, type LinkPlace } from "../../runtime/store/common/index.ts";
import { DuplicateRecordError, type Writes } from "../../runtime/store/ports/index.ts";
import type { ChainedPostingRecord, PostingRecord } from "../domain/records/accounts.ts";
import {
  headedAccountById,
  headsForChange,
  postings as postingsTable,
  postingsOfTransaction,
  transactionById,
} from "../tables/index.ts";

/**
 * Appends the postings of one transaction to the chains of their accounts, and moves the accounts' `ledgerMinor` by
 * them. Throws before it writes if the sums in a currency are not zero, a currency differs from its account's, or an
 * identifier is taken.
 */
export async function appendPostings(tx: Writes, added: readonly PostingRecord[]): Promise<void> {
  const plan = planPostings(added);
  const { institutionId, transactionId } = plan;
  const ids = plan.moves.map(({ accountId }) => accountId);
  const [transaction, present, found] = await together([
    tx.one(transactionById, institutionId, transactionId),
    tx.many(postingsOfTransaction, institutionId, transactionId),
    tx.many(headsForChange, institutionId, ids),
  ]);
  if (transaction === undefined) throw new Error("postings.append: the transaction does not exist");
  requireFreeIds(added, present);
  const accounts = new Map(found.map((account) => [account.id, account]));
  const heads = new Map<string, ChainHead>();
  const ledgers = new Map<string, bigint>();
  for (const move of plan.moves) {
    const {
      currency,
      ledgerMinor = 0n,
      postingPosition: position = 0,
      postingHash: hash = "",
    } = accounts.get(move.accountId) ?? {};
    if (currency !== move.currency) throw new Error(otherCurrency(move));
    if (!fitsLedger(ledgerMinor + move.byMinor)) throw new RangeError(outOfRange(move));
    heads.set(move.accountId, { position, hash });
    ledgers.set(move.accountId, ledgerMinor + move.byMinor);
  }
  await together([
    tx.insert(postingsTable, ...linkPostings(plan, heads)),
    ...[...heads].map(async ([accountId, head]) => {
      const ledgerMinor = ledgers.get(accountId);
      const moved = { ledgerMinor, postingPosition: head.position, postingHash: head.hash };
      await tx.update(headedAccountById, moved, institutionId, accountId);
    }),
  ]);
}

function requireFreeIds(
  added: readonly PostingRecord[],
  present: readonly Pick<PostingRecord, "id">[],
): void {
  const taken = new Set(present.map(({ id }) => id));
  for (const { id } of added) {
    if (taken.has(id)) throw new DuplicateRecordError("postings: an identifier is taken");
    taken.add(id);
  }
}

/** Postings that balance, and what they add to each account. */
interface PostingPlan {
  readonly institutionId: string;
  readonly transactionId: string;
  readonly postings: readonly PostingRecord[];
  readonly moves: readonly LedgerMove[];
}

/** `byMinor` is added to the ledger of an account, which must be kept in `currency`. */
interface LedgerMove {
  readonly accountId: string;
  readonly currency: string;
  readonly byMinor: bigint;
}

/**
 * Checks that postings belong to one transaction and sum to zero in every currency, and nets them by account.
 * Throws otherwise: such postings are a bug of the caller.
 */
function planPostings(postings: readonly PostingRecord[]): PostingPlan {
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

const noHead: ChainHead = { position: 0, hash: "" };

/**
 * Links postings to the chains of their accounts, in their order. `heads` has the head of every account and is brought
 * up to date.
 */
function linkPostings(
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
function otherCurrency(move: { readonly accountId: string; readonly currency: string }): string {
  return `postings.append: ${move.accountId} is no account in ${move.currency}`;
}

/** The message of the error for a ledger that would leave the range of a signed 64-bit integer. */
function outOfRange(move: { readonly accountId: string }): string {
  return `postings.append: the ledger of ${move.accountId} would leave the range of 64-bit integers`;
}
