import type { UpdateTransactionStatusHandler } from "../../../generated/operator/handlers.ts";
import { transactionEffects, transactionStatusChange } from "../../domain/transactions.ts";
import { transactionOf } from "../presenters/transaction.ts";
import { publishAccountStatus, publishTransaction } from "../services/publish.ts";
import { requireApprovalOfMovement } from "../services/approvals.ts";
import { auditTransaction } from "../services/audit.ts";
import { applyTransaction, sidesOfRecorded } from "../services/transactions.ts";
import { scopedReader } from "../services/scoped-reader.ts";
import type { Contexts } from "./contexts.ts";
import { transactions } from "../../tables/index.ts";

/**
 * Decides a pending transaction. COMPLETED moves the balances, the other four release what was held; all five
 * are final. Setting the present status succeeds and announces nothing.
 *
 * @see section 3 · D-26 · D-27 · D-39
 */
export const updateTransactionStatus: UpdateTransactionStatusHandler<Contexts> = async (payload, context) => {
  const stored = await scopedReader(context).transactionByReference(payload.ReferenceId);
  if (stored === undefined) throw context.error("NOT_FOUND_TRANSACTION", { field: "/ReferenceId" });
  const change = transactionStatusChange(stored.status, payload.Status);
  if (change === "final") throw context.error("CONFLICT", { field: "/Status", reason: "final-status" });
  if (change === "none") return transactionOf(stored);
  if (payload.Status === "COMPLETED") requireApprovalOfMovement(context, transactionOf(stored));

  const transaction = { ...stored, status: payload.Status, updatedAt: context.clock.now() };
  await context.store.replace(transactions, transaction, stored);
  const effects = [transactionEffects[stored.status], transactionEffects[payload.Status]] as const;
  const { postings, woken } = await applyTransaction(context, transaction, ...effects);
  await auditTransaction(context, transaction, postings, stored.status);
  const { debtor, creditor } = await sidesOfRecorded(transaction, context);
  await publishTransaction(context, "Transaction.UPDATE", transaction, [debtor, creditor]);
  for (const account of woken) await publishAccountStatus(context, account);
  return transactionOf(transaction);
};
