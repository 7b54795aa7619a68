import type { GetTransactionHandler } from "../../../generated/operator/handlers.ts";
import { transactionOf } from "../presenters/transaction.ts";
import { scopedReader } from "../services/scoped-reader.ts";
import type { Contexts } from "./contexts.ts";

/**
 * Reads the transaction with a reference. For an operator bound to customers, CustomerId is the customer of the side
 * that the operator sees.
 *
 * @see section 4.11 · D-19 · D-49
 */
export const getTransaction: GetTransactionHandler<Contexts> = async (payload, context) => {
  const found = await scopedReader(context).readableTransaction(payload.ReferenceId);
  if (found === undefined) throw context.error("NOT_FOUND_TRANSACTION", { field: "/ReferenceId" });
  return { ...transactionOf(found.transaction), CustomerId: found.customerId };
};
