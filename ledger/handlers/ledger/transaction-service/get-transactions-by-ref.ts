import type { GetTransactionsByRefHandler } from "../../../../generated/ledger/handlers.ts";
import { transactionOf } from "../../presenters/transaction.ts";
import { scopedReader } from "../../services/scoped-reader.ts";
import type { Contexts } from "../contexts.ts";

/**
 * Finds the transaction with a reference. Who may see either side may read it; CustomerId is that side's customer.
 *
 * @see section 4.11 · D-49
 */
export const getTransactionsByRef: GetTransactionsByRefHandler<Contexts> = async (payload, context) => {
  const found = await scopedReader(context).readableTransaction(payload.ReferenceId);
  if (found === undefined) throw context.error("NOT_FOUND_TRANSACTION", { field: "/ReferenceId" });

  return { ...transactionOf(found.transaction), CustomerId: found.customerId };
};
