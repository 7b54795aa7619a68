import type { MarkInstitutionAccountHandler } from "../../../generated/operator/handlers.ts";
import { requireApproval } from "../services/approvals.ts";
import { auditAccount } from "../services/audit.ts";
import { scopedReader } from "../services/scoped-reader.ts";
import type { Contexts } from "./contexts.ts";
import { accounts } from "../../tables/index.ts";

/**
 * Marks an account as the institution's own, or no longer: the status of such a one changes through SetAccountStatus
 * only. The accounts that the ledger opens for clearing, fees and taxes are marked from the start.
 *
 * @see section 4.9 · D-55
 */
export const markInstitutionAccount: MarkInstitutionAccountHandler<Contexts> = async (payload, context) => {
  requireApproval(context, "accounts");
  const { store, clock } = context;
  const account = await scopedReader(context).accountByNumber(payload.accountNumber);
  if (account === undefined) throw context.error("NOT_FOUND_ACCOUNT", { field: "/accountNumber" });
  if ((account.institutionOwned ?? false) !== payload.institutionOwned) {
    const { institutionOwned: _before, ...rest } = account;
    const mark = payload.institutionOwned ? { institutionOwned: true } : {};
    const changed = { ...rest, ...mark, updatedAt: clock.now() };
    await store.replace(accounts, changed, account);
    await auditAccount(context, account, changed);
  }
  return { accountNumber: account.number, institutionOwned: payload.institutionOwned };
};
