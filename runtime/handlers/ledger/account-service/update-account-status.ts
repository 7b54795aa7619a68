import type { UpdateAccountStatusHandler } from "../../../../generated/ledger/handlers.ts";
import { statusChange } from "../../../domain/index.ts";
import { announceAccountStatus } from "../../steps/announce.ts";
import { auditAccount } from "../../steps/audit.ts";
import { visible } from "../../steps/visible.ts";
import type { Contexts } from "../contexts.ts";

/**
 * Gives an account another status. Asking for the status it has already succeeds and announces nothing.
 *
 * @see section 4.9 · D-25
 */
export const updateAccountStatus: UpdateAccountStatusHandler<Contexts> = async (payload, context) => {
  const account = await visible(context).accountByNumber(payload.accountNumber);
  if (account === undefined) throw context.error("NOT_FOUND_ACCOUNT", { field: "/accountNumber" });

  const change = statusChange(account.status, payload.status, context.policy);
  if (change === "closed-is-final") throw context.error("CONFLICT", { field: "/status", reason: change });
  if (change === "change") {
    const changed = { ...account, status: payload.status, updatedAt: context.clock.now() };
    await context.store.accounts.replace(changed);
    await auditAccount(context, account, changed);
    await announceAccountStatus(context, changed);
  }

  return {
    CustomerId: account.customerId,
    AccountNumber: account.number,
    InstitutionId: account.institutionId,
    Name: account.name,
    Status: payload.status,
  };
};
