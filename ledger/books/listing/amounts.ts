import { allCurrencies, currencyOf } from "../../domain/money.ts";
import type { Order } from "../../../runtime/store/common/index.ts";
import type { AccountCondition } from "../../domain/account-condition.ts";

type AmountCondition = Extract<AccountCondition, { readonly kind: "amount" }>;

/**
 * A comparison of integer minor units that says the same as one of decimals: `minor op bound`, or `never` for an
 * equality with a fraction of a minor unit, `always` for its negation.
 */
export type MinorComparison =
  | { readonly kind: "compare"; readonly op: Order; readonly bound: bigint }
  | { readonly kind: "always" | "never" };

/** Decimals of a currency that is not of ISO 4217. No handler writes one; the adapters must still agree. */
const exponentOfUnknown = 2;

/** The decimals of a currency. */
export function exponentOf(currency: string): number {
  return currencyOf(currency)?.exponent ?? exponentOfUnknown;
}

/** The currencies whose decimals are not the usual two, by decimals. All others have `exponentOf("")`. */
export const unusualExponents: ReadonlyMap<number, readonly string[]> = Map.groupBy(
  allCurrencies()
    .filter(({ exponent }) => exponent !== exponentOfUnknown)
    .map(({ code }) => code),
  exponentOf,
);

/** An amount condition in minor units, where the currency has `exponent` decimals. */
export function minorComparison({ op, digits, scale }: AmountCondition, exponent: number): MinorComparison {
  const zeros = exponent - scale;
  if (zeros >= 0) return { kind: "compare", op, bound: digits * 10n ** BigInt(zeros) };
  const divisor = 10n ** BigInt(-zeros);
  const floor = floorDivision(digits, divisor);
  if (floor * divisor === digits) return { kind: "compare", op, bound: floor };
  switch (op) {
    case "=":
      return { kind: "never" };
    case "!=":
      return { kind: "always" };
    case "<":
    case "<=":
      return { kind: "compare", op: "<=", bound: floor };
    case ">":
    case ">=":
      return { kind: "compare", op: ">", bound: floor };
  }
}

/** Rounds towards minus infinity, where `/` rounds towards zero. */
function floorDivision(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  return dividend < 0n && quotient * divisor !== dividend ? quotient - 1n : quotient;
}
