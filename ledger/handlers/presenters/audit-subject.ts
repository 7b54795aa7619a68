import type { AuditSubject } from "../../../generated/operator/types.ts";
import { recordTables } from "../../../runtime/store/tables/index.ts";
import { schema } from "../../schema.ts";

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
