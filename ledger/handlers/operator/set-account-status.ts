import type { SetAccountStatusHandler } from "../../../generated/operator/handlers.ts";
import { changeAccountStatus } from "../services/accounts.ts";
import { requireApproval } from "../services/approvals.ts";
import { scopedReader } from "../services/scoped-reader.ts";
import type { Contexts } from "./contexts.ts";

/**
 * Gives any account another status, those of the institution itself too. Asking for the status it has already
 * succeeds and announces nothing.
 *
 * @see section 3 · D-25 · D-55
 */
export const setAccountStatus: SetAccountStatusHandler<Contexts> = async (payload, context) => {
  requireApproval(context, "accounts");
  const account = await scopedReader(context).accountByNumber(payload.accountNumber);
  if (account === undefined) throw context.error("NOT_FOUND_ACCOUNT", { field: "/accountNumber" });
  await changeAccountStatus(context, account, payload.status);
  return { accountNumber: account.number, status: payload.status };
};
