import type { Decimal, RpcError, RpcErrorDetail } from "../../../runtime/contract/index.ts";
import { parseMoney, type Money } from "../../domain/money.ts";

/** A context that can refuse a field of the payload. */
export interface RefusesInput<FieldPointer extends string> {
  error(code: "BAD_INPUT", detail?: RpcErrorDetail<FieldPointer>): RpcError;
}

/** Where an amount and its currency stand in the payload, as JSON Pointers. */
export interface MoneyFields<FieldPointer extends string> {
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
