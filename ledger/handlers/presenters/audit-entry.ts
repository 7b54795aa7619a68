import type { AuditEntry } from "../../../generated/operator/types.ts";
import { type Given, omitUndefined } from "../../../runtime/contract/index.ts";
import { timestampText } from "../../../runtime/contract/timestamps.ts";
import { systemActor } from "../../../runtime/operations/admin/index.ts";
import type { AuditRecord } from "../../../runtime/store/ports/index.ts";

/** An entry of the audit log as the operator sees it. */
export function auditEntryOf(entry: AuditRecord): AuditEntry {
  return {
    sequence: entry.number,
    subject: entry.subjectType,
    subjectId: entry.subjectId,
    operation: entry.operation,
    actor: entry.userName ?? systemActor,
    ...omitUndefined({ keyId: entry.keyId } satisfies Given<AuditEntry>),
    changedDate: timestampText(entry.changedAt),
    changes: entry.changes,
    hash: entry.hash,
  };
}
