import type { TransactionEvent } from "../../../generated/ledger/types.ts";
import type { TransactionRecord } from "../../domain/records/accounts.ts";
import { transactionOf } from "./transaction.ts";

/** The event payload of a transaction: no accounts, no parties, no personal data (D-41). */
export function transactionEvent(transaction: TransactionRecord): TransactionEvent {
  const { type, mode, Status, ReferenceId, TransactionId, TimeStamp, credit, InstructedAmount, CustomerId } =
    transactionOf(transaction);
  return {
    type,
    mode,
    Status,
    ReferenceId,
    TransactionId,
    TimeStamp,
    credit,
    InstructedAmount,
    CustomerId,
  };
}
