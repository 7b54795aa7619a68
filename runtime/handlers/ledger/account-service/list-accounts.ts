import type { RpcErrorDetail } from "../../../contract/index.ts";
import type { ListAccountsFieldPointer, ListAccountsHandler } from "../../../../generated/ledger/handlers.ts";
import { parseFilter } from "../../../domain/index.ts";
import { TooManyRowsError, type AccountQuery } from "../../../ports/index.ts";
import { accountSummary } from "../../presenters/account-summary.ts";
import { given } from "../../services/given.ts";
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
    askedBy: context.caller.userName,
    ...given({ customerIds: context.caller.customerIds, condition: filter.value }),
    offset: Math.min(((payload.PageNumber ?? 1) - 1) * limit, Number.MAX_SAFE_INTEGER),
    limit,
  };
  const accounts = await context.store.accounts.list(query).catch((error: unknown) => {
    throw error instanceof TooManyRowsError ? context.error("BAD_INPUT", tooExpensive(query, error)) : error;
  });
  return { accounts: accounts.map(accountSummary), riskScore: context.riskScorer.score(accounts) };
};

/** What is to be narrowed, and by what: those fields have an index. */
function tooExpensive(
  { condition, offset }: AccountQuery,
  cause: TooManyRowsError,
): RpcErrorDetail<ListAccountsFieldPointer> {
  if (condition === undefined) {
    const message = `page is too far: ${offset} accounts lie before it; use larger pages, or narrow the list by a filter on createdDate`;
    return { field: "/PageNumber", reason: "page-too-far", data: { message }, cause };
  }
  const message =
    `finding this page takes looking at more than ${cause.rowsMax} accounts; narrow the filter with AND: ` +
    "a time of creation (createdDate >= ... AND createdDate < ...), a value or beginning of name, number or id, " +
    "or a customerID or customerName";
  return {
    field: "/filter",
    reason: "filter-too-expensive",
    data: { message, rowsMax: cause.rowsMax },
    cause,
  };
}
