import type { UpdateAccountStatusHandler } from "../../../../generated/ledger/handlers.ts";
import { changeAccountStatus } from "../../services/accounts.ts";
import { scopedReader } from "../../services/scoped-reader.ts";
import type { Contexts } from "../contexts.ts";

/**
 * Changes an account's status. Setting the present status succeeds without an event. Accounts of the institution
 * itself change status through the operator interface only.
 *
 * @see section 4.9 · D-25 · D-55
 */
export const updateAccountStatus: UpdateAccountStatusHandler<Contexts> = async (payload, context) => {
  const account = await scopedReader(context).accountByNumber(payload.accountNumber);
  if (account === undefined) throw context.error("NOT_FOUND_ACCOUNT", { field: "/accountNumber" });
  if (account.institutionOwned === true) {
    throw context.error("UNAUTHORIZED", { field: "/accountNumber", reason: "institution-owned" });
  }

  await changeAccountStatus(context, account, payload.status);
  return {
    CustomerId: account.customerId,
    AccountNumber: account.number,
    InstitutionId: account.institutionId,
    Name: account.name,
    Status: payload.status,
  };
};
