import type { AccountEvent } from "../../../generated/ledger/types.ts";
import { timestampText } from "../../../runtime/contract/index.ts";
import { accountBalances } from "./account.ts";
import type { ListedAccount } from "../../domain/lists.ts";

/** The account as events show it: the summary without names (D-41). */
export function accountEvent(account: ListedAccount): AccountEvent & { readonly customerID: string } {
  return {
    id: account.id,
    number: account.number,
    createdDate: timestampText(account.createdAt),
    updatedDate: timestampText(account.updatedAt),
    customerID: account.customerId,
    accountCategory: account.category,
    accountType: account.type,
    ...accountBalances(account),
    status: account.status,
    institutionID: account.institutionId,
    glAccount: account.glAccount,
    isVerify: account.verified,
  };
}
