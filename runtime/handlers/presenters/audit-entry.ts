import type { AuditEntry } from "../../../generated/operator/types.ts";
import { timestampText } from "../../domain/index.ts";
import type { AuditRecord } from "../../ports/index.ts";
import { given } from "../services/given.ts";
import { systemActor } from "../services/audit-page.ts";

/** An entry of the audit log as the operator sees it. */
export function auditEntryOf(entry: AuditRecord): AuditEntry {
  return {
    sequence: entry.sequence,
    subject: entry.subjectType,
    subjectId: entry.subjectId,
    operation: entry.operation,
    actor: entry.userName ?? systemActor,
    ...given({ keyId: entry.keyId }),
    changedDate: timestampText(entry.changedAt),
    changes: entry.changes,
    hash: entry.hash,
  };
}
