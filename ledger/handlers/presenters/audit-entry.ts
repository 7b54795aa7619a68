import type { AuditEntry, AuditSubject } from "../../../generated/operator/types.ts";
import { type Given, omitUndefined } from "../../../runtime/contract/index.ts";
import { timestampText } from "../../../runtime/contract/times.ts";
import { systemActor } from "../../../runtime/operations/admin/index.ts";
import type { AuditRecord } from "../../../runtime/store/ports/index.ts";
import { recordTables } from "../../../runtime/store/tables/schema.ts";
import { schema } from "../../schema.ts";

/** An entry of the audit log as the operator sees it. */
export function auditEntryOf(entry: AuditRecord): AuditEntry {
  return {
    sequence: entry.number,
    subject: subjectOf(entry.subjectType),
    subjectId: entry.subjectId,
    operation: entry.operation,
    actor: entry.userName ?? systemActor,
    ...omitUndefined({ keyId: entry.keyId } satisfies Given<AuditEntry>),
    changedDate: timestampText(entry.changedAt),
    changes: entry.changes,
    hash: entry.hash,
  };
}

/** What tables call their records in the audit log, and the records whose steps record entries themselves. */
export const subjects: ReadonlySet<string> = new Set([
  ...recordTables(schema).flatMap(({ audit }) => audit?.subjectType ?? []),
  ...(schema.verify?.subjects ?? []),
  "mail",
]);

/** @throws Error for a kind of record that no table has. */
function subjectOf(kind: string): AuditSubject {
  if (!isSubject(kind)) throw new Error(`there is no audit subject ${kind}`);
  return kind;
}

/** The interface declares each of them. */
function isSubject(kind: string): kind is AuditSubject {
  return subjects.has(kind);
}
