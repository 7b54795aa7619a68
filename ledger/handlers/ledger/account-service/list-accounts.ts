import type { ListAccountsHandler } from "../../../../generated/ledger/handlers.ts";
import { accountSummary } from "../../presenters/account-summary.ts";
import { accountsPage } from "../../services/accounts.ts";
import type { Contexts } from "../contexts.ts";

/**
 * Lists the accounts that the caller may see, page by page, oldest first, and says how risky they are. At
 * least one of the three fields is to be present.
 *
 * @see section 4.12 · D-31 · D-33
 */
export const listAccounts: ListAccountsHandler<Contexts> = async (payload, context) => {
  const accounts = await accountsPage(context, {
    filter: payload.filter,
    pageNumber: payload.PageNumber,
    pageSize: payload.PageSize,
    pageField: "/PageNumber",
  });
  return { accounts: accounts.map(accountSummary), riskScore: context.riskScorer.score(accounts) };
};
