import type { SearchTransactionsHandler } from "../../../generated/operator/handlers.ts";
import type { SearchTransactionsPayload, RecordedTransaction } from "../../../generated/operator/types.ts";
import { omitUndefined, timestampText } from "../../../runtime/contract/index.ts";
import {
  pageToken,
  placeOf,
  seesGroup,
  standardPageSize,
  timeRange,
} from "../../../runtime/operations/admin/index.ts";
import { moneyDecimal } from "../../domain/money.ts";
import type { TransactionRecord } from "../../domain/records/accounts.ts";
import { transactionOf } from "../presenters/transaction.ts";
import { scopedReader } from "../services/scoped-reader.ts";
import type { Contexts } from "./contexts.ts";
import { transactionsNewestFirst } from "../../tables/index.ts";

/** Transactions that one call looks at, whether they fit or not: a call is never long. */
const lookedAtMax = 1_000;
/** Those that are read at once, before it is known which of them fit. */
const readAtOnce = 100;
/** The same in characters: each may have 1,000 fees. */
const charactersMax = 4_000_000;
/** Later than any time that is kept. */
const timeMax = Number.MAX_SAFE_INTEGER;

/**
 * Lists transactions, the newest first, by when they were recorded. A page may hold fewer than asked for, or
 * none, although there are more: next says so.
 *
 * @see section 2.7 · D-19 · D-49
 */
export const searchTransactions: SearchTransactionsHandler<Contexts> = async (payload, context) => {
  const { store, caller } = context;
  const { CustomerId, pageSize = standardPageSize } = payload;
  if (CustomerId !== undefined && (await scopedReader(context).customer(CustomerId)) === undefined)
    throw context.error("NOT_FOUND_CUSTOMER", { field: "/CustomerId" });
  const { from = 0, to = timeMax } = timeRange(payload);
  const transactions: RecordedTransaction[] = [];
  let last = placeOf(context, payload.after);
  let characters = 0;
  for (let looked = 0; looked < lookedAtMax && characters < charactersMax; looked += readAtOnce) {
    const { createdAt, id } = last ?? { createdAt: timeMax, id: "" };
    const place = [caller.institutionId, from, to, createdAt, id] as const;
    const found = await store.many(transactionsNewestFirst, ...place, readAtOnce);
    for (const transaction of found) {
      if (transactions.length === pageSize)
        return { transactions, ...omitUndefined({ next: last && pageToken(last) }) };
      last = transaction;
      characters += transaction.documentJson.length;
      if (seesGroup(caller, transaction.customerId) && isAskedFor(transaction, payload))
        transactions.push(recordedTransaction(transaction));
    }
    if (found.length < readAtOnce) return { transactions };
  }
  return { transactions, ...omitUndefined({ next: last && pageToken(last) }) };
};

function isAskedFor(transaction: TransactionRecord, asked: SearchTransactionsPayload): boolean {
  const { Status, CustomerId, type, minimumAmount } = asked;
  if ((Status ?? transaction.status) !== transaction.status) return false;
  if ((CustomerId ?? transaction.customerId) !== transaction.customerId) return false;
  // Numbers of at most 15 digits keep their order as floats.
  if (minimumAmount !== undefined && Number(minimumAmount.lexeme) > Number(moneyDecimal(transaction).lexeme))
    return false;
  return type === undefined || transactionOf(transaction).type === type;
}

function recordedTransaction(transaction: TransactionRecord): RecordedTransaction {
  const document = transactionOf(transaction);
  const { type, mode, Status, ReferenceId, TransactionId, CustomerId, TimeStamp, InstructedAmount } =
    document;
  return {
    ReferenceId,
    TransactionId,
    type,
    mode,
    Status,
    CustomerId,
    TimeStamp,
    recordedDate: timestampText(transaction.createdAt),
    InstructedAmount,
    DebtorAccountNumber: document.DebtorAccount.AccountNumber,
    CreditorAccountNumber: document.CreditorAccount.AccountNumber,
  };
}
