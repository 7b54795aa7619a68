import type { ListAccountsHandler } from "../../../../generated/ledger/handlers.ts";
import { parseFilter } from "../../../domain/index.ts";
import type { AccountQuery } from "../../../ports/index.ts";
import { accountSummary } from "../../records/account-summary.ts";
import { given } from "../../steps/given.ts";
import type { Contexts } from "../contexts.ts";

/** Paging of D-31: this many accounts where the caller does not say, and at most this many. */
const pageSize = { standard: 15, max: 100 };

/**
 * Lists the accounts that the caller may see, page by page, oldest first, and says how risky they are. At
 * least one of the three fields is to be present.
 *
 * @see section 4.12 · D-31 · D-33
 */
export const listAccounts: ListAccountsHandler<Contexts> = async (payload, context) => {
  const filter = parseFilter(payload.filter ?? "");
  if (!filter.ok) {
    const { column, message } = filter.fault;
    throw context.error("BAD_INPUT", { field: "/filter", reason: "filter", data: { column, message } });
  }

  const limit = Math.min(payload.PageSize ?? pageSize.standard, pageSize.max);
  const query: AccountQuery = {
    institutionId: context.caller.institutionId,
    ...given({ customerIds: context.caller.customerIds, condition: filter.value }),
    offset: Math.min(((payload.PageNumber ?? 1) - 1) * limit, Number.MAX_SAFE_INTEGER),
    limit,
  };
  const accounts = await context.store.accounts.list(query);
  return { accounts: accounts.map(accountSummary), riskScore: context.riskScorer.score(accounts) };
};
