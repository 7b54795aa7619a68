import { decimal, type Decimal } from "../../runtime/contract/index.ts";
import { currencyOf } from "./currency.ts";
import { exactDecimal, scaledInteger, significantDigitsMax } from "../../runtime/json/exact-decimal.ts";
import { accepted, refused, type Outcome } from "../../runtime/contract/outcome.ts";

/** An amount in integer minor units of its currency (D-37). */
export interface Money {
  readonly amountMinor: bigint;
  /** ISO 4217 alphabetic code. */
  readonly currency: string;
}

/** Why an amount cannot be money. */
export type MoneyFault = "unknown-currency" | "too-many-decimals" | "too-many-digits" | "too-large";

/** The largest amount that is kept, in minor units: what a signed 64-bit integer holds. */
export const amountMinorMax = 2n ** 63n - 1n;

const amountDigitsMax = 19;

/** Reads an amount from the digits it was written with, never through a float (D-37). */
export function parseMoney(amount: Decimal, currency: string): Outcome<Money, MoneyFault> {
  const unit = currencyOf(currency);
  if (unit === undefined) return refused("unknown-currency");
  const number = exactDecimal(amount.lexeme);
  if (number === undefined) throw new RangeError("a Decimal that is no number");
  if (number.significant.length > significantDigitsMax) return refused("too-many-digits");
  const amountMinor = scaledInteger(number, unit.exponent, amountDigitsMax);
  if (amountMinor === "fraction") return refused("too-many-decimals");
  if (amountMinor === "large" || !fitsLedger(amountMinor)) return refused("too-large");
  return accepted({ amountMinor, currency });
}

/** The largest balance, in minor units. */
const balanceMinorMax = 10n ** BigInt(significantDigitsMax) - 1n;

/** Whether a store can keep the amount: every sum is checked before it is written. */
export function fitsLedger(amountMinor: bigint): boolean {
  return amountMinor <= amountMinorMax && amountMinor >= -amountMinorMax;
}

/**
 * Whether a balance has at most 15 significant digits in its currency's major units, whatever its cents. Then it also
 * fits the amounts of the interface's schemas (D-37).
 */
export function fitsBalance(balanceMinor: bigint): boolean {
  return balanceMinor <= balanceMinorMax && balanceMinor >= -balanceMinorMax;
}

/** The amount as a JSON number in its shortest exact form: `12.5`, never `12.50` or `1.25e1`. */
export function moneyDecimal(money: Money): Decimal {
  const exponent = currencyOf(money.currency)?.exponent;
  if (exponent === undefined) throw new RangeError(`a record in unknown currency ${money.currency}`);
  const negative = money.amountMinor < 0n;
  const digits = (negative ? -money.amountMinor : money.amountMinor).toString().padStart(exponent + 1, "0");
  const point = digits.length - exponent;
  let end = digits.length;
  while (end > point && digits[end - 1] === "0") end -= 1;
  const fraction = end === point ? "" : `.${digits.slice(point, end)}`;
  return decimal(`${negative ? "-" : ""}${digits.slice(0, point)}${fraction}`);
}
