import type { Transaction, TransactionStatus } from "../../../generated/ledger/types.ts";
import { decimal } from "../../../runtime/contract/index.ts";
import type { TransactionRecord } from "../../domain/records/accounts.ts";

/** The documented transaction record (section 2.7) without its status, which alone changes. */
export type TransactionDocument = Omit<Transaction, "Status">;

/** The documented record of a stored transaction, with its present status or the given one. */
export function transactionOf(
  transaction: TransactionRecord,
  status: TransactionStatus = transaction.status,
): Transaction {
  return { ...documentOf(transaction), Status: status };
}

/** The document as it was recorded. All its numbers are amounts, and keep their digits (D-37). */
export function documentOf(transaction: TransactionRecord): TransactionDocument {
  return JSON.parse(transaction.documentJson, (_name, value: unknown, read?: { readonly source: string }) =>
    typeof value === "number" && read !== undefined ? decimal(read.source) : value,
  );
}
