import type { ListTransactionsHandler } from "../../../generated/operator/handlers.ts";
import { omitUndefined } from "../../../runtime/contract/index.ts";
import { transactionOf } from "../presenters/transaction.ts";
import { scopedReader } from "../services/scoped-reader.ts";
import type { Contexts } from "./contexts.ts";
import { transactionPage } from "../../books/listing/index.ts";

const standardPageSize = 15;
/** Limit for all transactions of a page: each may have 1,000 fees. */
const pageCharactersMax = 4_000_000;
const pageTooLarge = {
  field: "/pageSize",
  reason: "page-too-large",
  data: { charactersMax: pageCharactersMax },
} as const;

/** Lists the transactions that an account is a side of, page by page, oldest first. @see section 2.7 · D-49 */
export const listTransactions: ListTransactionsHandler<Contexts> = async (payload, context) => {
  const { store, caller } = context;
  const { accountNumber, pageNumber = 1, pageSize = standardPageSize } = payload;
  const account = await scopedReader(context).accountByNumber(accountNumber);
  if (account === undefined) throw context.error("NOT_FOUND_ACCOUNT", { field: "/accountNumber" });
  const found = await store.page(
    transactionPage({
      institutionId: caller.institutionId,
      askedBy: caller.userName,
      accountId: account.id,
      ...omitUndefined({ customerIds: caller.groups }),
      offset: Math.min((pageNumber - 1) * pageSize, Number.MAX_SAFE_INTEGER),
      limit: pageSize,
    }),
  );
  const characters = found.reduce((sum, { documentJson }) => sum + documentJson.length, 0);
  if (characters > pageCharactersMax) throw context.error("BAD_INPUT", pageTooLarge);
  return { transactions: found.map((transaction) => transactionOf(transaction)) };
};
