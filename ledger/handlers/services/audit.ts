import { omitUndefined } from "../../../runtime/contract/index.ts";
import {
  accountContentHash,
  transactionContentHash,
  type PostingContent,
} from "../../domain/content-hashes.ts";
import type { AccountRecord, TransactionRecord } from "../../domain/records/accounts.ts";
import type { AuditChange } from "../../../runtime/store/ports/index.ts";
import type { WriteContext } from "../../../runtime/pipeline/index.ts";
import type { AuditSubject } from "../../../generated/operator/types.ts";
import { recordTables } from "../../../runtime/store/tables/index.ts";
import { schema } from "../../schema.ts";

type Audits = Pick<WriteContext, "audit">;

/** Records that an account was opened. */
export async function auditNewAccount({ audit }: Audits, account: AccountRecord): Promise<void> {
  await audit.record({
    subjectType: "account",
    subjectId: account.id,
    isFirst: true,
    changes: [{ field: "status", to: account.status }],
    contentHash: accountContentHash(account),
  });
}

/** Records which fields of an account changed, other than the balances that money moves: postings tell those. */
export async function auditAccount(
  { audit }: Audits,
  before: AccountRecord,
  after: AccountRecord,
): Promise<void> {
  const changes = fieldChanges(before, after, ["status", "category", "institutionOwned"]);
  if (changes.length === 0) return;
  await audit.record({
    subjectType: "account",
    subjectId: after.id,
    changes,
    contentHash: accountContentHash(after),
  });
}

/** Records that a transaction was recorded or, where it had a status before, that it was decided. */
export async function auditTransaction(
  { audit }: Audits,
  transaction: TransactionRecord,
  postings: readonly PostingContent[],
  statusBefore?: TransactionRecord["status"],
): Promise<void> {
  const from = statusBefore === undefined ? {} : { from: statusBefore };
  await audit.record({
    subjectType: "transaction",
    subjectId: transaction.id,
    isFirst: statusBefore === undefined,
    changes: [{ field: "status", ...from, to: transaction.status }],
    contentHash: transactionContentHash(transaction, postings),
  });
}

/** Which of the fields differ, with their values as text. An absent value has no text. */
export function fieldChanges<R, Field extends keyof R & string>(
  before: Pick<R, Field>,
  after: Pick<R, Field>,
  fields: readonly Field[],
): readonly AuditChange[] {
  return fields
    .filter((field) => before[field] !== after[field])
    .map((field) => {
      const [from, to] = [before[field], after[field]];
      return {
        field,
        ...omitUndefined({
          from: from === undefined ? undefined : String(from),
          to: to === undefined ? undefined : String(to),
        }),
      };
    });
}

/** What tables call their records in the audit log, and the records whose steps record entries themselves. */
export const subjects: ReadonlySet<string> = new Set([
  ...recordTables(schema).flatMap(({ audit }) => audit?.subjectType ?? []),
  ...(schema.verify?.subjects ?? []),
  "mail",
]);

/** @throws Error for a kind of record that no table has. */
export function subjectOf(kind: string): AuditSubject {
  if (!isSubject(kind)) throw new Error(`there is no audit subject ${kind}`);
  return kind;
}

/** The interface declares each of them. */
function isSubject(kind: string): kind is AuditSubject {
  return subjects.has(kind);
}
