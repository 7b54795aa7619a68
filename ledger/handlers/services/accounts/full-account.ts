import type { Account } from "../../../../generated/ledger/types.ts";
import type { AccountRecord } from "../../../domain/records/accounts.ts";
import type { ReadContext } from "../../../../runtime/service/handler-context.ts";
import { accountOf } from "../../presenters/account.ts";
import { seesGroup } from "../../../../runtime/operations/admin/index.ts";
import { customerById, accountById, legalRepsOf } from "../../../tables/index.ts";
import { institutionById } from "../../../../runtime/store/tables/index.ts";

/** An account with all that the service keeps of it (section 2.1). The caller may see the account. */
export async function fullAccount(
  account: AccountRecord,
  { store, caller }: Pick<ReadContext, "store" | "caller">,
): Promise<Account> {
  const { institutionId, customerId, parentId, legalRepIds } = account;
  const [customer, institution, parent, legalReps] = await Promise.all([
    store.one(customerById, institutionId, customerId),
    store.one(institutionById, institutionId),
    parentId === undefined ? undefined : store.one(accountById, institutionId, parentId),
    legalRepIds.length === 0 ? [] : legalRepsOf(store, institutionId, legalRepIds),
  ]);
  return accountOf(account, {
    customerName: customer?.name ?? "",
    institutionName: institution?.name ?? "",
    parent,
    parentIsSeen: parent !== undefined && seesGroup(caller, parent.customerId),
    legalReps,
  });
}
