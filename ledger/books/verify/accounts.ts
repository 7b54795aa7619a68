import { accountContentHash, postingHash } from "../../domain/content-hashes.ts";
import { bankCustomerId, isGeneralLedgerId } from "../../domain/accounts.ts";
import { heldMinor } from "../../domain/transactions.ts";
import {
  followAuditChain,
  recordOf,
  cursorOver,
  type ChainHead,
  type AuditState,
  type Findings,
  type Totals,
} from "../../../runtime/store/common/index.ts";
import type { ChainedPostingRecord } from "../../domain/records/accounts.ts";
import type { AccountBook, AuditedBooks } from "./books.ts";
import { movementFrom, readDocument } from "./movement.ts";

/**
 * Checks every account of an institution against its postings, their chain, pending transactions and audit entries.
 * It takes one pass over streams in the order of accounts.
 */
export function verifyAccounts(
  books: AuditedBooks,
  institutionId: string,
  findings: Findings,
  totals: Totals,
  onAccount: () => void,
): void {
  const postings = cursorOver(books.postings(institutionId), ({ accountId }) => accountId);
  const audit = cursorOver(books.audit(institutionId, "account"), ({ subjectId }) => subjectId);
  const pending = cursorOver(books.pending(institutionId), ({ debtorAccountId }) => debtorAccountId);

  function orphans(key?: string): void {
    for (const posting of postings.before(key)) {
      totals.count("postings");
      addTo(totals.sums, posting);
      const record = postingRecord(posting);
      findings.add({ kind: "reference", table: "postings", record, what: "there is no such account" });
    }
    for (const entry of audit.before(key)) {
      totals.auditEntries += 1;
      const what = `there is no account ${entry.subjectId}: it was deleted, or its identifier changed`;
      findings.add({ kind: "record", table: "accounts", record: recordOf(entry), what });
    }
    for (const { id, debtorAccountId } of pending.before(key)) {
      const what = `there is no account ${debtorAccountId}, its debtor`;
      findings.add({ kind: "reference", table: "transactions", record: id, what });
    }
  }

  for (const account of books.accounts(institutionId)) {
    onAccount();
    orphans(account.id);
    totals.count("accounts");
    const followed = followPostings(account, postings.at(account.id), findings);
    totals.count("postings", followed.count);
    for (const [currency, minor] of followed.sums) {
      totals.sums.set(currency, (totals.sums.get(currency) ?? 0n) + minor);
    }
    verifyHold(books, account, pending.at(account.id), findings);
    totals.auditEntries += verifyRecord(account, followAuditChain(audit.at(account.id), findings), findings);
  }
  orphans();
}

interface Followed {
  readonly count: number;
  readonly sums: ReadonlyMap<string, bigint>;
}

/** The chain of postings of an account, up to its head, and what they come to. */
function followPostings(
  account: AccountBook,
  links: Iterable<ChainedPostingRecord>,
  findings: Findings,
): Followed {
  const sums = new Map<string, bigint>();
  let count = 0;
  let last: ChainHead = { position: 0, hash: "" };
  for (const posting of links) {
    const wrong = (what: string) =>
      findings.add({ kind: "chain", table: "postings", record: postingRecord(posting), what });
    if (posting.position !== last.position + 1) {
      wrong(`follows posting ${last.position} of its account: postings between them are missing`);
    }
    const place = { position: posting.position, previousHash: last.hash };
    if (postingHash(posting, place) !== posting.hash) {
      wrong("the hash is not that of the posting and the one before: one of them was changed");
    }
    if (posting.currency !== account.currency) {
      wrong(`is in ${posting.currency}, its account in ${account.currency}`);
    }
    addTo(sums, posting);
    last = posting;
    count += 1;
  }
  const { head, id } = account;
  if (head.position !== last.position || head.hash !== last.hash) {
    const what =
      `its chain of postings ends at ${last.position} (${last.hash.slice(0, 16)}), ` +
      `its head says ${head.position} (${head.hash.slice(0, 16)}): postings or the head were changed`;
    findings.add({ kind: "chain", table: "accounts", record: id, what });
  }
  const derived = sums.values().reduce((sum, minor) => sum + minor, 0n);
  if (derived !== account.ledgerMinor) {
    const what = `ledger_minor is ${account.ledgerMinor}, its postings sum to ${derived} (${account.currency})`;
    findings.add({ kind: "balance", table: "accounts", record: id, what });
  }
  return { count, sums };
}

function verifyHold(
  books: AuditedBooks,
  account: AccountBook,
  pending: Iterable<Parameters<typeof movementFrom>[0]>,
  findings: Findings,
): void {
  let held = 0n;
  for (const transaction of pending) {
    const document = readDocument(transaction);
    const movement =
      document &&
      movementFrom(transaction, document, (accountId) =>
        books.customerOf(transaction.institutionId, accountId),
      );
    if (movement === undefined) {
      const what = "its document does not say what it moves, so what it holds is not known";
      findings.add({ kind: "document", table: "transactions", record: transaction.id, what });
      return;
    }
    held += heldMinor(movement);
  }
  if (held === account.holdMinor) return;
  const what = `hold_minor is ${account.holdMinor}, its PENDING transactions hold ${held} (${account.currency})`;
  findings.add({ kind: "hold", table: "accounts", record: account.id, what });
}

/** Gives how many entries the account has. */
function verifyRecord(
  account: AccountBook,
  { entries, contentHash, values }: ReturnType<typeof followAuditChain>,
  findings: Findings,
): number {
  const wrong = (what: string) =>
    findings.add({ kind: "record", table: "accounts", record: account.id, what });
  const [status, category] = [values.get("status"), values.get("category") ?? account.category];
  if (entries === 0)
    wrong("no audit entry says that it was opened: it was added, or its entries were removed");
  else if (status !== account.status) wrong(`status is ${account.status}, the audit entries say ${status}`);
  else if (category !== account.category) {
    wrong(
      `category is ${JSON.stringify(account.category)}, the audit entries say ${JSON.stringify(category)}`,
    );
  } else if (isOwnedByEntries(account, values) !== (account.institutionOwned ?? false)) {
    wrong(
      `institution_owned is ${account.institutionOwned ?? false}, the audit entries say otherwise: ` +
        "who may change its status was changed",
    );
  } else if (accountContentHash(account) !== contentHash) {
    wrong(
      "is not as its last audit entry has it: customer, number, currency or another fixed field was changed",
    );
  }
  return entries;
}

/** Marked as the last entry about that says; without one, an account that the ledger opened for itself is (D-55). */
function isOwnedByEntries(
  { id, customerId, institutionOwned }: AccountBook,
  values: AuditState["values"],
): boolean {
  if (values.has("institutionOwned")) return values.get("institutionOwned") === "true";
  if (isGeneralLedgerId(id)) return true;
  // A migration marked every account of the bank's own customer, without entries.
  return customerId === bankCustomerId && (institutionOwned ?? false);
}

function addTo(sums: Map<string, bigint>, { currency, amountMinor }: ChainedPostingRecord): void {
  sums.set(currency, (sums.get(currency) ?? 0n) + amountMinor);
}

function postingRecord({ id, transactionId, accountId, position }: ChainedPostingRecord): string {
  return `${id} (of transaction ${transactionId}, posting ${position} of account ${accountId})`;
}
