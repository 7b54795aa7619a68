import { mapIdentifications } from "../domain/transactions.ts";
import type { ChainedPostingRecord, TransactionRecord } from "../domain/records/accounts.ts";
import type { Reads } from "../../runtime/store/ports/index.ts";
import { accounts } from "./accounts.ts";
import {
  amount,
  count,
  oneOf,
  sealed,
  text,
  time,
  queryOf,
  defineTable,
} from "../../runtime/store/tables/index.ts";
import { customers } from "./parties.ts";

export const transactions = defineTable<TransactionRecord>({
  name: "transactions",
  columns: {
    id: text("id"),
    institutionId: text("institution_id"),
    referenceId: text("reference_id"),
    customerId: text("customer_id"),
    status: oneOf("status", ["COMPLETED", "PENDING", "FAILED", "DECLINED", "REJECTED", "CANCELLED"]),
    currency: text("currency"),
    amountMinor: amount("amount_minor"),
    debtorAccountId: text("debtor_account_id"),
    creditorAccountId: text("creditor_account_id"),
    documentJson: sealed(text("document_json"), mapIdentifications),
    contentHash: text("content_hash"),
    createdAt: time("created_at"),
    updatedAt: time("updated_at"),
  },
  key: ["institutionId", "id"],
  unique: [["institutionId", "referenceId"]],
  references: [
    { fields: ["institutionId", "customerId"], to: () => customers },
    { fields: ["institutionId", "debtorAccountId"], to: () => accounts },
    { fields: ["institutionId", "creditorAccountId"], to: () => accounts },
  ],
  indexes: {
    transactions_by_creation: ["institutionId", "createdAt", "id"],
    transactions_by_debtor: ["institutionId", "debtorAccountId", "createdAt", "id"],
    transactions_by_creditor: ["institutionId", "creditorAccountId", "createdAt", "id"],
    transactions_by_creditor_status: ["institutionId", "creditorAccountId", "status"],
  },
  unmarks: {
    sql:
      "DELETE FROM transaction_marks WHERE institution_id = $1 AND account_id = ANY (ARRAY[$2, $3]) " +
      "AND (created_at, id) > ($4, $5)",
    by: ["institutionId", "debtorAccountId", "creditorAccountId", "createdAt", "id"],
  },
});

/** Append-only: one chain an account. `id` is unique within the transaction; `append` sees to it. */
export const postings = defineTable<ChainedPostingRecord>({
  name: "postings",
  columns: {
    id: text("id"),
    institutionId: text("institution_id"),
    transactionId: text("transaction_id"),
    accountId: text("account_id"),
    currency: text("currency"),
    amountMinor: amount("amount_minor"),
    createdAt: time("created_at"),
    position: count("position"),
    hash: text("hash"),
  },
  key: ["institutionId", "accountId", "position"],
  references: [
    { fields: ["institutionId", "transactionId"], to: () => transactions },
    { fields: ["institutionId", "accountId"], to: () => accounts },
  ],
  indexes: {
    postings_by_transaction: ["institutionId", "transactionId", "id", "currency", "amountMinor", "createdAt"],
  },
  isClustered: true,
});

export const transactionById = transactions.byKey;
export const transactionByReference = queryOf(transactions, ["institutionId", "referenceId"]);
export const pendingCredits = queryOf(transactions, ["institutionId", "creditorAccountId", "status"], {
  limited: true,
});
/** The newest first, of those recorded from a time on and before another one. */
export const transactionsNewestFirst = queryOf(
  transactions,
  ["institutionId", ["createdAt", ">="], ["createdAt", "<"]],
  { order: ["createdAt", "id"], descending: true, limited: true, after: true },
);
export const postingsOfTransaction = queryOf(postings, ["institutionId", "transactionId"], { order: ["id"] });

/** Whether a PENDING transaction would credit the account. Its debtor has a hold. */
export async function hasPendingCredit(
  view: Reads,
  institutionId: string,
  accountId: string,
): Promise<boolean> {
  return (await view.many(pendingCredits, institutionId, accountId, "PENDING", 1)).length > 0;
}
