import {
  legsOf,
  transactionContentHash,
  transactionEffects,
  type Leg,
  type PostingContent,
  type TransactionContent,
} from "../../../domain/index.ts";
import { followAuditChain, recordOf, type AuditState } from "./audit-chain.ts";
import type { Books } from "./books.ts";
import { cursorOver } from "./cursor.ts";
import type { Findings } from "./findings.ts";
import { documentDifferences, movementFrom, readDocument } from "./movement.ts";

/** What is counted on the way. */
export interface TransactionTotals {
  transactions: number;
  auditEntries: number;
}

/** Every transaction of an institution against its postings, its document and its audit entries. */
export function verifyTransactions(
  books: Books,
  institutionId: string,
  findings: Findings,
  totals: TransactionTotals,
  onTransaction: () => void,
): void {
  const postings = cursorOver(books.postingsByTransaction(institutionId), (posting) => posting.transactionId);
  const audit = cursorOver(books.audit(institutionId, "transaction"), ({ subjectId }) => subjectId);

  function orphans(key?: string): void {
    for (const { id, transactionId } of postings.before(key)) {
      const what = `there is no transaction ${transactionId}`;
      findings.add({ kind: "reference", table: "postings", record: id, what });
    }
    for (const entry of audit.before(key)) {
      totals.auditEntries += 1;
      const what = `there is no transaction ${entry.subjectId}: it was deleted, or its identifier changed`;
      findings.add({ kind: "record", table: "transactions", record: recordOf(entry), what });
    }
  }

  for (const transaction of books.transactions(institutionId)) {
    onTransaction();
    orphans(transaction.id);
    totals.transactions += 1;
    const posted = [...postings.at(transaction.id)];
    verifySums(transaction, posted, findings);
    verifyEffect(books, transaction, posted, findings);
    const state = followAuditChain(audit.at(transaction.id), findings);
    totals.auditEntries += state.entries;
    verifyRecord(transaction, posted, state, findings);
  }
  orphans();
}

function verifySums({ id }: TransactionContent, posted: readonly PostingContent[], findings: Findings): void {
  const sums = new Map<string, bigint>();
  for (const { currency, amountMinor } of posted) {
    sums.set(currency, (sums.get(currency) ?? 0n) + amountMinor);
  }
  for (const [currency, sum] of sums) {
    if (sum === 0n) continue;
    const what = `its postings in ${currency} sum to ${sum}, not to 0`;
    findings.add({ kind: "sum", table: "transactions", record: id, what });
  }
}

/** COMPLETED has the postings that it moves by, any other state none (D-27). */
function verifyEffect(
  books: Books,
  transaction: TransactionContent,
  posted: readonly PostingContent[],
  findings: Findings,
): void {
  const { id, status } = transaction;
  const wrong = (kind: "posting" | "document", what: string) =>
    findings.add({ kind, table: "transactions", record: id, what });
  const document = readDocument(transaction);
  if (document === undefined) return wrong("document", "document_json is no JSON object");
  const differing = documentDifferences(transaction, document);
  if (differing.length > 0) wrong("document", `differs from its document in ${differing.join(", ")}`);
  const effect = new Map<string, string>(Object.entries(transactionEffects)).get(status);
  if (effect === undefined) return wrong("posting", `has the unknown status ${JSON.stringify(status)}`);
  if (effect !== "post") {
    if (posted.length > 0) wrong("posting", `is ${status} and has ${posted.length} postings, not none`);
    return;
  }
  const movement = movementFrom(transaction, document, (accountId) =>
    books.customerOf(transaction.institutionId, accountId),
  );
  if (movement === undefined) return wrong("document", "its document does not say what it moves");
  const expected = legsOf(movement);
  if (posted.length === 0)
    return wrong("posting", `is ${status} and has no postings, not ${expected.length}`);
  if (legTexts(posted) === legTexts(expected)) return;
  wrong(
    "posting",
    `is ${status} and its ${posted.length} postings are not what it moves: ${legTexts(expected)}`,
  );
}

function legTexts(legs: readonly Leg[]): string {
  return legs
    .map(({ accountId, currency, amountMinor }) => `${accountId} ${amountMinor} ${currency}`)
    .toSorted()
    .join(", ");
}

function verifyRecord(
  transaction: TransactionContent,
  posted: readonly PostingContent[],
  { entries, contentHash, values }: AuditState,
  findings: Findings,
): void {
  const { id, status } = transaction;
  const wrong = (what: string) => findings.add({ kind: "record", table: "transactions", record: id, what });
  if (entries === 0)
    return wrong("no audit entry says that it was recorded: it was added, or its entries were removed");
  const recorded = values.get("status");
  if (recorded !== status) return wrong(`status is ${status}, the audit entries say ${recorded}`);
  if (transactionContentHash(transaction, posted) === contentHash) return;
  wrong(
    "it or its postings are not as its last audit entry has them: a field was changed, or a posting is another",
  );
}
