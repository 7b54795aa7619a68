import type { TransactionContent } from "../../ledger/domain/content-hashes.ts";
import type { ChainedPostingRecord } from "../../ledger/domain/records/accounts.ts";

/** A transaction whose postings are asked for, and made, one by one. */
export const transaction: TransactionContent = {
  id: "t",
  institutionId: "i",
  referenceId: "r",
  customerId: "c",
  status: "COMPLETED",
  currency: "USD",
  amountMinor: 1n,
  debtorAccountId: "d",
  creditorAccountId: "e",
  documentJson: `{"TransactionId":"t","ReferenceId":"r","CustomerId":"c","InstructedAmount":{"Amount":0.01,"Currency":"USD"}}`,
  contentHash: "",
  createdAt: 0,
};

export function postingAt(index: number): ChainedPostingRecord {
  return {
    id: `t/${String(index).padStart(9, "0")}`,
    institutionId: "i",
    transactionId: "t",
    accountId: index % 2 === 0 ? "d" : "e",
    currency: "USD",
    amountMinor: index % 2 === 0 ? -1n : 1n,
    createdAt: 0,
    position: index + 1,
    hash: "",
  };
}
