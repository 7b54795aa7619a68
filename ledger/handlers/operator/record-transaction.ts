import { type Given, omitUndefined } from "../../../runtime/contract/index.ts";
import type { RecordTransactionHandler } from "../../../generated/operator/handlers.ts";
import type { RecordTransactionPayload } from "../../../generated/operator/types.ts";
import { moneyDecimal, type Money } from "../../domain/money.ts";
import { transactionEffects } from "../../domain/transactions.ts";
import type { IdSource } from "../../../runtime/store/ports/index.ts";
import type { TransactionRecord } from "../../domain/records/accounts.ts";
import { transactionOf, type TransactionDocument } from "../presenters/transaction.ts";
import { publishAccountStatus, publishTransaction } from "../services/publish.ts";
import { requireApprovalOfMovement } from "../services/approvals.ts";
import { auditTransaction } from "../services/audit.ts";
import { applyTransaction, sidesOf } from "../services/transactions.ts";
import { feesOf, instructedAmount, type FeeMoney } from "../services/money-fields.ts";
import { scopedReader } from "../services/scoped-reader.ts";
import type { Contexts } from "./contexts.ts";
import { transactionByReference, transactions } from "../../tables/index.ts";
import { createHash } from "node:crypto";
import { canonicalBytes } from "../../../runtime/auth/signing/index.ts";

/**
 * Records a transaction and moves the balances by balanced double-entry postings: at once where the status is
 * COMPLETED; where it is PENDING, the debtor's amount is held until the transaction is decided; with any
 * other status nothing moves. Debtor and creditor differ, have the currency of the amount, and one of them is
 * the customer's. Fees and their taxes are taken from the customer's side. Repeating a reference with the
 * same content gives the first answer; with other content it is a CONFLICT.
 *
 * @see section 2.7 · D-26 · D-27 · D-37 · D-39
 */
export const recordTransaction: RecordTransactionHandler<Contexts> = async (payload, context) => {
  const { store, caller, clock, ids } = context;
  const amount = instructedAmount(payload.InstructedAmount, context);
  const fees = feesOf(payload.Fees ?? [], amount.currency, context);
  const hash = contentHash(payload);
  const former = await store.one(transactionByReference, caller.institutionId, payload.ReferenceId);
  if (former?.contentHash === hash) return transactionOf(former, payload.Status);
  if (former !== undefined) throw context.error("CONFLICT", { field: "/ReferenceId", reason: "taken" });
  if (payload.Status === "COMPLETED") requireApprovalOfMovement(context, payload);

  const customer = await scopedReader(context).customer(payload.CustomerId);
  if (customer === undefined) throw context.error("NOT_FOUND_CUSTOMER", { field: "/CustomerId" });
  const { debtor, creditor } = await sidesOf(payload, customer, amount.currency, context);

  const document = documentOf(payload, amount, fees, ids);
  const transaction: TransactionRecord = {
    id: document.TransactionId,
    institutionId: caller.institutionId,
    referenceId: payload.ReferenceId,
    customerId: customer.id,
    status: payload.Status,
    ...amount,
    debtorAccountId: debtor.id,
    creditorAccountId: creditor.id,
    documentJson: JSON.stringify(document),
    contentHash: hash,
    createdAt: clock.now(),
    updatedAt: clock.now(),
  };
  await store.insert(transactions, transaction);
  const { postings, woken } = await applyTransaction(
    context,
    transaction,
    "none",
    transactionEffects[payload.Status],
  );
  await auditTransaction(context, transaction, postings);
  await publishTransaction(context, "Transaction.NEW", transaction, [debtor, creditor]);
  for (const account of woken) await publishAccountStatus(context, account);
  return transactionOf(transaction);
};

/** The documented record (section 2.7), with the identifiers that the ledger assigns. */
function documentOf(
  payload: RecordTransactionPayload,
  amount: Money,
  fees: readonly FeeMoney[],
  ids: IdSource,
): TransactionDocument {
  const { type, mode, ReferenceId, CustomerId, TimeStamp, credit, DebtorAccount, CreditorAccount } = payload;
  return {
    type,
    mode,
    ReferenceId,
    CustomerId,
    TimeStamp,
    TransactionId: ids.id(),
    credit,
    InstructedAmount: { Amount: moneyDecimal(amount), Currency: amount.currency },
    Fees: fees.map((fee) =>
      omitUndefined({
        Amount: moneyDecimal(fee.amount),
        Currency: fee.amount.currency,
        TransactionNumber: fee.transactionNumber ?? ids.id(),
        Tax: fee.tax === undefined ? undefined : moneyDecimal(fee.tax),
      } satisfies Given<TransactionDocument["Fees"][number]>),
    ),
    DebtorAccount,
    CreditorAccount,
  };
}

/**
 * SHA-256 of what a request says, in RFC 8785 form, lower-case hex: equal for equal content, however its members
 * were ordered and its numbers written. Amounts survive, because they have at most 15 significant digits (D-37).
 */
function contentHash(content: object): string {
  return createHash("sha256")
    .update(canonicalBytes(JSON.parse(JSON.stringify(content))))
    .digest("hex");
}
