import type { AccountSummary } from "../../../generated/ledger/types.ts";
import { accountEvent } from "./account-event.ts";
import type { AccountListing } from "../../domain/lists.ts";

/** An account as lists show it (section 2.2): what events say of it, and the names. */
export function accountSummary({ account, customerName, institutionName }: AccountListing): AccountSummary {
  return { ...accountEvent(account), name: account.name, customerName, institutionName };
}
