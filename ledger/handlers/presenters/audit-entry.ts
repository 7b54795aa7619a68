import type { AuditEntry, AuditSubject } from "../../../generated/operator/types.ts";
import { type Given, omitUndefined } from "../../../runtime/contract/index.ts";
import { timestampText } from "../../../runtime/contract/timestamps.ts";
import { systemActor } from "../../../runtime/operations/admin/index.ts";
import type { AuditRecord } from "../../../runtime/store/ports/index.ts";

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

const subjects: Readonly<Record<AuditSubject, true>> = {
  institution: true,
  account: true,
  transaction: true,
  user: true,
  credential: true,
  key: true,
  category: true,
  subscription: true,
  customer: true,
  "legal-rep": true,
  "share-holder": true,
  beneficiary: true,
  source: true,
  registration: true,
  "portal-login": true,
  "service-key": true,
  mail: true,
};

/** @throws Error for a kind of record that the interface does not declare. */
function subjectOf(kind: string): AuditSubject {
  if (!isSubject(kind)) throw new Error(`the operator's interface declares no audit subject ${kind}`);
  return kind;
}

function isSubject(kind: string): kind is AuditSubject {
  return Object.hasOwn(subjects, kind);
}
