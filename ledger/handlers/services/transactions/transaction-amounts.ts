import type { Amount } from "../../../../generated/ledger/types.ts";
import type { RecordTransactionFieldPointer } from "../../../../generated/operator/handlers.ts";
import type { RecordTransactionPayload } from "../../../../generated/operator/types.ts";
import { omitUndefined } from "../../../../runtime/contract/index.ts";
import type { Money } from "../../../domain/money.ts";
import { moneyField, type RefusesInput } from "../money-field.ts";

/** A fee of a transaction, and the tax on it. */
export interface FeeMoney {
  readonly amount: Money;
  readonly tax?: Money;
  /** Absent where the ledger is to assign one. */
  readonly transactionNumber?: string;
}

const amountFields = { amount: "/InstructedAmount/Amount", currency: "/InstructedAmount/Currency" } as const;

/** The amount that moves: more than zero, because debtor and creditor give the direction (D-37). */
export function instructedAmount(
  instructed: Amount,
  context: RefusesInput<RecordTransactionFieldPointer>,
): Money {
  const amount = moneyField(context, instructed.Amount, instructed.Currency, amountFields);
  if (amount.amountMinor <= 0n) {
    throw context.error("BAD_INPUT", { field: amountFields.amount, reason: "not-positive" });
  }
  return amount;
}

/** The fees, in the currency of the transaction, because they are taken from one of its two accounts. */
export function feesOf(
  fees: NonNullable<RecordTransactionPayload["Fees"]>,
  currency: string,
  context: RefusesInput<RecordTransactionFieldPointer>,
): readonly FeeMoney[] {
  return fees.map((fee, index) => {
    const at = `/Fees/${index}` as const;
    const currencyField = `${at}/Currency` as const;
    const money = (member: "Amount" | "Tax", amount: Amount["Amount"]): Money => {
      const field = `${at}/${member}` as const;
      const read = moneyField(context, amount, fee.Currency, { amount: field, currency: currencyField });
      if (read.amountMinor < 0n) throw context.error("BAD_INPUT", { field, reason: "negative" });
      return read;
    };
    const amount = money("Amount", fee.Amount);
    if (amount.currency !== currency) {
      throw context.error("BAD_INPUT", { field: currencyField, reason: "another-currency" });
    }
    const tax = fee.Tax === undefined ? undefined : money("Tax", fee.Tax);
    return { amount, ...omitUndefined({ tax, transactionNumber: fee.TransactionNumber }) };
  });
}
