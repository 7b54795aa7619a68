import type { GetAccountHandler } from "../../../../generated/ledger/handlers.ts";
import type { AccountRecord } from "../../../ports/index.ts";
import { accountOf, type AccountSurroundings } from "../../presenters/account.ts";
import { seesCustomer, scopedReader } from "../../services/scoped-reader.ts";
import type { Contexts } from "../contexts.ts";

/** Reads one account with all that the service keeps of it. @see section 4.5 · D-51 */
export const getAccount: GetAccountHandler<Contexts> = async (payload, context) => {
  const account = await scopedReader(context).account(payload.ID);
  if (account === undefined) throw context.error("NOT_FOUND_ACCOUNT", { field: "/ID" });

  return { account: accountOf(account, await surroundingsOf(account, context)) };
};

async function surroundingsOf(
  account: AccountRecord,
  { store, caller }: Contexts["read"],
): Promise<AccountSurroundings> {
  const { institutionId, customerId, parentId, legalRepIds } = account;
  const [customer, institution, parent, legalReps] = await Promise.all([
    store.customers.find(institutionId, customerId),
    store.institutions.find(institutionId),
    parentId === undefined ? undefined : store.accounts.find(institutionId, parentId),
    legalRepIds.length === 0 ? [] : store.legalReps.findMany(institutionId, legalRepIds),
  ]);
  return {
    customerName: customer?.name ?? "",
    institutionName: institution?.name ?? "",
    parent,
    parentIsSeen: parent !== undefined && seesCustomer(caller, parent.customerId),
    legalReps,
  };
}
