import type { ListTransactionsHandler } from "../../../../generated/ledger/handlers.ts";
import { omitUndefined } from "../../../../runtime/contract/index.ts";
import { transactionOf } from "../../presenters/transaction.ts";
import { scopedReader } from "../../services/scoped-reader.ts";
import type { Contexts } from "../contexts.ts";
import { transactionPage } from "../../../books/listing/index.ts";

/** Paging of D-31: this many transactions where the caller does not say, and at most this many. */
const pageSize = { standard: 15, max: 100 };

/**
 * Lists the transactions that an account is a side of, page by page, oldest first. Of the callers who are
 * bound to customers, each sees those of their customers.
 *
 * @see section 4.11.1 · D-08 · D-31
 * @since 1.0.12
 */
export const listTransactions: ListTransactionsHandler<Contexts> = async (payload, context) => {
  const account = await scopedReader(context).accountByNumber(payload.accountNumber);
  if (account === undefined) throw context.error("NOT_FOUND_ACCOUNT", { field: "/accountNumber" });

  const limit = Math.min(payload.size ?? pageSize.standard, pageSize.max);
  const transactions = await context.store.page(
    transactionPage({
      institutionId: account.institutionId,
      accountId: account.id,
      ...omitUndefined({ customerIds: context.caller.groups }),
      offset: Math.min(((payload.page ?? 1) - 1) * limit, Number.MAX_SAFE_INTEGER),
      limit,
    }),
  );
  return { transactions: transactions.map((transaction) => transactionOf(transaction)) };
};
