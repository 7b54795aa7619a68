/** Audit entries of a synthetic bank: of each record one, that it was added. */
import { accountContentHash, transactionContentHash } from "../../ledger/domain/content-hashes.ts";
import { auditHash } from "../../runtime/store/common/chains.ts";
import type {
  AccountRecord,
  PostingRecord,
  TransactionRecord,
} from "../../ledger/domain/records/accounts.ts";
import type { AuditRecord } from "../../runtime/store/ports/index.ts";
import { auditEntries, type ColumnValue, type Table } from "../../runtime/store/tables/index.ts";
import { institutionId, startMs } from "./plan.ts";

export type EntryDraft = Pick<
  AuditRecord,
  "subjectType" | "subjectId" | "changes" | "changedAt" | "contentHash"
>;

export function added<R extends object>({ name, audit }: Table<R>, record: R): EntryDraft {
  if (audit === undefined) throw new Error(`changes of ${name} leave no entry`);
  const changes = audit.changesBetween(undefined, record);
  return { subjectType: audit.subjectType, subjectId: audit.subjectOf(record), changes, changedAt: startMs };
}

export function accountOpened(account: AccountRecord): EntryDraft {
  return {
    subjectType: "account",
    subjectId: account.id,
    changes: [{ field: "status", to: account.status }],
    changedAt: account.createdAt,
    contentHash: accountContentHash(account),
  };
}

export function transactionRecorded(
  transaction: TransactionRecord,
  postings: readonly PostingRecord[],
): EntryDraft {
  return {
    subjectType: "transaction",
    subjectId: transaction.id,
    changes: [{ field: "status", to: transaction.status }],
    changedAt: transaction.createdAt,
    contentHash: transactionContentHash(transaction, postings),
  };
}

/** The entries, numbered, each the first of its chain. */
export function* auditRows(drafts: Iterable<EntryDraft>): Iterable<readonly ColumnValue[]> {
  let sequence = 0;
  for (const draft of drafts) {
    sequence += 1;
    const entry = { ...draft, institutionId, operation: "bench" };
    const hash = auditHash(entry, { position: 1, previousHash: "" });
    yield auditEntries.encode({ ...entry, sequence, number: sequence, position: 1, hash });
  }
}
