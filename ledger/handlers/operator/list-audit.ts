import type { ListAuditHandler } from "../../../generated/operator/handlers.ts";
import type { ListAuditResult } from "../../../generated/operator/types.ts";
import { type Given, omitUndefined } from "../../../runtime/contract/index.ts";
import { auditPage } from "../../../runtime/operations/admin/index.ts";
import { auditEntryOf } from "../presenters/audit-entry.ts";
import type { Contexts } from "./contexts.ts";

/**
 * Lists who changed what, page by page. Every field narrows the list. A page may hold fewer entries than asked for, or
 * none, although there are more: next says so. Operators bound to customers may not read it.
 *
 * @see section 5.7 · D-19
 */
export const listAudit: ListAuditHandler<Contexts> = async (payload, context) => {
  // Entries tell of all customers of the institution.
  if (context.caller.groups !== undefined) {
    throw context.error("UNAUTHORIZED", { reason: "limited-to-customers" });
  }
  const { entries, next } = await auditPage(context, payload);
  return { entries: entries.map(auditEntryOf), ...omitUndefined({ next } satisfies Given<ListAuditResult>) };
};
