import type { GetTransactionsByRefHandler } from "../../../../generated/ledger/handlers.ts";
import { transactionOf } from "../../records/transaction.ts";
import { visible } from "../../steps/visible.ts";
import type { Contexts } from "../contexts.ts";

/** Finds the transaction with a reference. @see section 4.11 */
export const getTransactionsByRef: GetTransactionsByRefHandler<Contexts> = async (payload, context) => {
  const transaction = await visible(context).transactionByReference(payload.ReferenceId);
  if (transaction === undefined) throw context.error("NOT_FOUND_TRANSACTION", { field: "/ReferenceId" });

  return transactionOf(transaction);
};
