import { fitsLedger, type ChainHead } from "../../../domain/index.ts";
import { DuplicateRecordError } from "../../../ports/index.ts";
import { otherCurrency, outOfRange, type PostingPlan } from "../../../../ledger/books/posting-plan.ts";
import type { Connection } from "../connection.ts";

const transactionSql = "SELECT 1 FROM transactions WHERE institution_id = ?1 AND id = ?2";
const postingsSql = "SELECT id FROM postings WHERE institution_id = ?1 AND transaction_id = ?2";
const accountSql =
  "SELECT ledger_minor, currency, posting_position, posting_hash FROM accounts WHERE institution_id = ?1 AND id = ?2";

/**
 * Throws if any of the postings could not be written or any account not moved. Asked before the first write, so that
 * a failure leaves nothing to undo: undoing by savepoints takes time that grows with the size of the transaction.
 * Gives the last links of the accounts.
 */
export function requireAppendable(
  connection: Connection,
  { institutionId, transactionId, postings, moves }: PostingPlan,
): Map<string, ChainHead> {
  if (connection.row(transactionSql, [institutionId, transactionId]) === undefined) {
    throw new Error("postings.append: the transaction does not exist");
  }
  const taken = new Set(connection.rows(postingsSql, [institutionId, transactionId]).map(([id]) => id));
  for (const { id } of postings) {
    if (taken.has(id)) throw new DuplicateRecordError("postings: an identifier is taken");
    taken.add(id);
  }
  const heads = new Map<string, ChainHead>();
  for (const move of moves) {
    const row = connection.row(accountSql, [institutionId, move.accountId]) ?? [];
    const [ledgerMinor, currency, position, hash] = row;
    if (typeof ledgerMinor !== "bigint" || currency !== move.currency) throw new Error(otherCurrency(move));
    if (!fitsLedger(ledgerMinor + move.byMinor)) throw new RangeError(outOfRange(move));
    heads.set(move.accountId, { position: Number(position), hash: String(hash) });
  }
  return heads;
}
