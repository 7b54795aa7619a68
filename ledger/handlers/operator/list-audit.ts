import type { ListAuditHandler } from "../../../generated/operator/handlers.ts";
import { listAudit as auditPage } from "../../../runtime/operations/admin/index.ts";
import { subjectOf } from "../services/audit.ts";
import type { Contexts } from "./contexts.ts";

/**
 * Lists who changed what, page by page. Every field narrows the list. A page may hold fewer entries than asked for, or
 * none, although there are more: next says so. Operators bound to customers may not read it.
 *
 * @see section 5.7 · D-19
 */
export const listAudit: ListAuditHandler<Contexts> = async (payload, context) => {
  if (context.caller.groups !== undefined)
    throw context.error("UNAUTHORIZED", { reason: "limited-to-customers" });
  const { entries, ...page } = await auditPage(payload, context);
  return { entries: entries.map((entry) => ({ ...entry, subject: subjectOf(entry.subject) })), ...page };
};
