/** Audit entries of a synthetic bank: of each record one, that it was added. */
import { recordedValues, type AuditedTable } from "../../runtime/audit/index.ts";
import { omitUndefined } from "../../runtime/contract/index.ts";
import { accountContentHash, auditHash, transactionContentHash } from "../../runtime/domain/index.ts";
import type {
  AccountRecord,
  AuditRecord,
  PostingRecord,
  TransactionRecord,
} from "../../runtime/ports/index.ts";
import { auditEntries, type ColumnValue } from "../../runtime/storage/tables/index.ts";
import { institutionId, startMs } from "./plan.ts";

export type EntryDraft = Pick<
  AuditRecord,
  "subjectType" | "subjectId" | "changes" | "changedAt" | "contentHash"
>;

export function added<R extends object>(table: AuditedTable<R>, record: R, subjectId: string): EntryDraft {
  const changes = [...recordedValues(table, record)].map(([field, to]) => ({
    field,
    ...omitUndefined({ to }),
  }));
  return { subjectType: table.subjectType, subjectId, changes, changedAt: startMs };
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
