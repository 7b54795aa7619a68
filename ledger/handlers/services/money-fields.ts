import {
  type Decimal,
  type RpcError,
  type RpcErrorDetail,
  decimal,
  omitUndefined,
} from "../../../runtime/contract/index.ts";
import { parseMoney, type Money, moneyDecimal } from "../../domain/money.ts";
import type { MonthlyProjection, Amount } from "../../../generated/ledger/types.ts";
import type { CustomerRecord } from "../../domain/records/parties.ts";
import type { RecordTransactionFieldPointer } from "../../../generated/operator/handlers.ts";
import type { RecordTransactionPayload } from "../../../generated/operator/types.ts";

/** A context that can refuse a field of the payload. */
export interface RefusesInput<FieldPointer extends string> {
  error(code: "BAD_INPUT", detail?: RpcErrorDetail<FieldPointer>): RpcError;
}

/** Where an amount and its currency stand in the payload, as JSON Pointers. */
interface MoneyFields<FieldPointer extends string> {
  readonly amount: FieldPointer;
  readonly currency: FieldPointer;
}

/** Reads an amount of the payload, or throws the `BAD_INPUT` that says which of its two fields is at fault (D-37). */
export function moneyField<FieldPointer extends string>(
  context: RefusesInput<NoInfer<FieldPointer>>,
  amount: Decimal,
  currency: string,
  fields: MoneyFields<FieldPointer>,
): Money {
  const money = parseMoney(amount, currency);
  if (money.ok) return money.value;
  const field = money.fault === "unknown-currency" ? fields.currency : fields.amount;
  throw context.error("BAD_INPUT", { field, reason: money.fault });
}

type Projection = CustomerRecord["monthlyProjection"];

const fields = { amount: "/monthlyProjection/amount", currency: "/monthlyProjection/currency" } as const;
type Context = RefusesInput<(typeof fields)[keyof typeof fields]>;

/** Refuses what no stored projection can make right, before anything is looked up (D-05). */
export function assertProjection(context: Context, update: MonthlyProjection | undefined): void {
  if (update?.currency !== undefined) projectionAfter(context, undefined, update);
}

/**
 * A customer's projection after an update, member by member (D-14). An amount needs a currency: the one given, or
 * the stored one. A currency alone keeps the stored amount's number, if it can be an amount of that currency.
 */
export function projectionAfter(
  context: Context,
  stored: Projection,
  update: MonthlyProjection | undefined,
): Projection {
  if (update === undefined) return stored;
  const currency = update.currency ?? stored?.currency;
  const amount = update.amount ?? storedAmount(stored);
  if (amount === undefined) {
    if (currency !== undefined) moneyField(context, decimal("0"), currency, fields);
    return omitUndefined({ currency });
  }
  if (currency === undefined) throw context.error("BAD_INPUT", { field: fields.currency, reason: "missing" });
  return moneyField(context, amount, currency, fields);
}

function storedAmount(stored: Projection) {
  if (stored?.amountMinor === undefined || stored.currency === undefined) return undefined;
  return moneyDecimal({ amountMinor: stored.amountMinor, currency: stored.currency });
}

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
