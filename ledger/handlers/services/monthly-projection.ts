import type { MonthlyProjection } from "../../../generated/ledger/types.ts";
import { decimal, omitUndefined } from "../../../runtime/contract/index.ts";
import { moneyDecimal } from "../../domain/money.ts";
import type { CustomerRecord } from "../../domain/records/parties.ts";
import { moneyField, type RefusesInput } from "./money-field.ts";

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
