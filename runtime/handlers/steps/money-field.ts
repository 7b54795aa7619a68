import type { Decimal, RpcError, RpcErrorDetail } from "../../contract/index.ts";
import { parseMoney, type Money } from "../../domain/index.ts";

/** A context that can refuse a field of the payload. */
export interface RefusesInput {
  error(code: "BAD_INPUT", detail?: RpcErrorDetail): RpcError;
}

/** Where an amount and its currency stand in the payload, as JSON Pointers. */
export interface MoneyFields {
  readonly amount: string;
  readonly currency: string;
}

/** Reads an amount of the payload, or throws the `BAD_INPUT` that says which of its two fields is at fault (D-37). */
export function moneyField(
  context: RefusesInput,
  amount: Decimal,
  currency: string,
  fields: MoneyFields,
): Money {
  const money = parseMoney(amount, currency);
  if (money.ok) return money.value;
  const field = money.fault === "unknown-currency" ? fields.currency : fields.amount;
  throw context.error("BAD_INPUT", { field, reason: money.fault });
}
