import type { ListAccountsHandler } from "../../../generated/operator/handlers.ts";
import { accountSummary } from "../presenters/account-summary.ts";
import { accountsPage } from "../services/accounts.ts";
import type { Contexts } from "./contexts.ts";

/**
 * Lists accounts page by page, oldest first. filter is that of AccountService.ListAccounts.
 *
 * @see section 4.12 · D-31 · D-32
 */
export const listAccounts: ListAccountsHandler<Contexts> = async (payload, context) => {
  const { filter, pageNumber, pageSize } = payload;
  const accounts = await accountsPage(context, { filter, pageNumber, pageSize, pageField: "/pageNumber" });
  return { accounts: accounts.map(accountSummary) };
};
