import { legsOf, transactionEffects, type Leg } from "../../domain/transactions.ts";
import {
  type PostingContent,
  type TransactionContent,
  startTransactionContentHash,
} from "../../domain/content-hashes.ts";
import {
  followAuditChain,
  recordOf,
  cursorOver,
  type AuditState,
  type Findings,
  type Totals,
} from "../../../runtime/store/common/index.ts";
import type { AuditedBooks } from "./books.ts";
import { documentDifferences, movementFrom, readDocument } from "./movement.ts";

/** Every transaction of an institution against its postings, its document and its audit entries. */
export function verifyTransactions(
  books: AuditedBooks,
  institutionId: string,
  findings: Findings,
  totals: Totals,
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
    totals.count("transactions");
    const posted = verifyPosted(books, transaction, postings.at(transaction.id), findings);
    const state = followAuditChain(audit.at(transaction.id), findings);
    totals.auditEntries += state.entries;
    verifyRecord(transaction, posted, state, findings);
  }
  orphans();
}

/** COMPLETED has the postings that it moves by, any other state none (D-27). */
function verifyPosted(
  books: AuditedBooks,
  transaction: TransactionContent,
  postings: Iterable<PostingContent>,
  findings: Findings,
): Posted {
  const { id, institutionId, status } = transaction;
  const wrong = (kind: "posting" | "document", what: string) =>
    findings.add({ kind, table: "transactions", record: id, what });
  const document = readDocument(transaction);
  const effect = new Map<string, string>(Object.entries(transactionEffects)).get(status);
  const movement =
    document && effect === "post"
      ? movementFrom(transaction, document, (accountId) => books.customerOf(institutionId, accountId))
      : undefined;
  const expected = movement === undefined ? [] : legsOf(movement);
  const posted = passPosted(transaction, postings, expected);
  for (const [currency, sum] of posted.sums) {
    if (sum === 0n) continue;
    const what = `its postings in ${currency} sum to ${sum}, not to 0`;
    findings.add({ kind: "sum", table: "transactions", record: id, what });
  }
  if (document === undefined) {
    wrong("document", "document_json is no JSON object");
    return posted;
  }
  const differing = documentDifferences(transaction, document);
  if (differing.length > 0) wrong("document", `differs from its document in ${differing.join(", ")}`);
  if (effect === undefined) wrong("posting", `has the unknown status ${JSON.stringify(status)}`);
  else if (effect !== "post") {
    if (posted.count > 0) wrong("posting", `is ${status} and has ${posted.count} postings, not none`);
  } else if (movement === undefined) wrong("document", "its document does not say what it moves");
  else if (posted.count === 0 && expected.length > 0) {
    wrong("posting", `is ${status} and has no postings, not ${expected.length}`);
  } else if (!posted.isExpected) {
    wrong(
      "posting",
      `is ${status} and its ${posted.count} postings are not what it moves: ${legsText(expected)}`,
    );
  }
  return posted;
}

function verifyRecord(
  transaction: TransactionContent,
  posted: Posted,
  { entries, contentHash, values }: AuditState,
  findings: Findings,
): void {
  const { id, status } = transaction;
  const wrong = (what: string) => findings.add({ kind: "record", table: "transactions", record: id, what });
  if (entries === 0)
    return wrong("no audit entry says that it was recorded: it was added, or its entries were removed");
  const recorded = values.get("status");
  if (recorded !== status) return wrong(`status is ${status}, the audit entries say ${recorded}`);
  if (posted.contentHash === contentHash) return;
  wrong(
    "it or its postings are not as its last audit entry has them: a field was changed, or a posting is another",
  );
}

/** The sums and hashes of a transaction's postings that verification compares. No posting is kept, however many there are. */
interface Posted {
  readonly count: number;
  readonly sums: ReadonlyMap<string, bigint>;
  /** Whether they are exactly the expected legs, in any order. */
  readonly isExpected: boolean;
  /** The transaction with these postings. */
  readonly contentHash: string;
}

/** Passes over the postings of a transaction, which are in the order of their identifiers. */
function passPosted(
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
function legsText(legs: readonly Leg[]): string {
  const shown = legs.slice(0, shownMax).map(legText).toSorted().join(", ");
  return legs.length > shownMax ? `${shown} and ${legs.length - shownMax} more` : shown;
}

function legText({ accountId, currency, amountMinor }: Leg): string {
  return `${accountId} ${amountMinor} ${currency}`;
}
