import { sentText } from "./sent-text.ts";

/** A decimal: a number of an answer, its text, or a whole number. A text may have an exponent. */
export type Amount = number | string | bigint;

/** Two halves up (`1.005` → `1.01`), to the even neighbour (banker's), or towards zero. */
export type Rounding = "half-up" | "half-even" | "down";

/** Units of 10^-decimals. */
interface Decimal {
  readonly units: bigint;
  readonly decimals: number;
}

/** The digits of a number as the service sent them, trailing zeros too: `digits(account, "balance")`. */
export function digits<Name extends string>(holder: { readonly [Key in Name]: Amount }, name: Name): string;
export function digits<Name extends string>(
  holder: { readonly [Key in Name]?: Amount },
  name: Name,
): string | undefined;
export function digits<Name extends string>(
  holder: { readonly [Key in Name]?: Amount },
  name: Name,
): string | undefined {
  const value = holder[name];
  return value === undefined ? undefined : (sentText(holder, name) ?? printed(decimalOf(value)));
}

/** The exact sum of one amount of each object, with the digits as they were sent: `sum(accounts, "balance")`. */
export function sum<Name extends string>(
  holders: readonly { readonly [Key in Name]?: Amount }[],
  name: Name,
): string {
  return add(...holders.map((holder) => digits(holder, name) ?? 0n));
}

/** The exact sum, as a decimal text with as many decimals as the finest amount. */
export function add(...amounts: readonly Amount[]): string {
  const sum = amounts.map(decimalOf).reduce(sumOf, { units: 0n, decimals: 0 });
  return printed(sum);
}

/** The exact difference. */
export function subtract(from: Amount, amount: Amount): string {
  const { units, decimals } = decimalOf(amount);
  return printed(sumOf(decimalOf(from), { units: -units, decimals }));
}

/** The exact product: round it to what the currency has. */
export function multiply(amount: Amount, factor: Amount): string {
  const [a, b] = [decimalOf(amount), decimalOf(factor)];
  return printed({ units: a.units * b.units, decimals: a.decimals + b.decimals });
}

/** -1, 0 or 1 as the first amount is less than, equal to or more than the second. For `sort` too. */
export function compare(a: Amount, b: Amount): -1 | 0 | 1 {
  const [first, second] = aligned(decimalOf(a), decimalOf(b));
  if (first === second) return 0;
  return first < second ? -1 : 1;
}

/** The amount with so many decimals. */
export function round(amount: Amount, decimals: number, rounding: Rounding = "half-even"): string {
  const exact = decimalOf(amount);
  if (exact.decimals <= decimals) return printed(rescaled(exact, decimals));
  const step = 10n ** BigInt(exact.decimals - decimals);
  const sign = exact.units < 0n ? -1n : 1n;
  const size = exact.units * sign;
  const [whole, rest] = [size / step, (size % step) * 2n];
  const isUp = rest > step || (rest === step && (rounding === "half-up" || whole % 2n === 1n));
  return printed({ units: sign * (isUp && rounding !== "down" ? whole + 1n : whole), decimals });
}

/** Shares of an amount in these whole proportions, to the last unit: the first shares get what is left over. */
export function allocate(amount: Amount, proportions: readonly number[], decimals: number): string[] {
  const units = toMinor(amount, decimals);
  const sum = proportions.reduce((total, proportion) => total + BigInt(proportion), 0n);
  if (sum <= 0n || proportions.some((proportion) => proportion < 0)) {
    throw new RangeError("proportions must not be negative, and not all zero");
  }
  const shares = proportions.map((proportion) => (units * BigInt(proportion)) / sum);
  let left = units - shares.reduce((total, share) => total + share, 0n);
  const unit = left < 0n ? -1n : 1n;
  return shares.map((share, at) => {
    const gets = left !== 0n && proportions[at] !== 0;
    if (gets) left -= unit;
    return fromMinor(gets ? share + unit : share, decimals);
  });
}

/** The amount in minor units (cents, where `decimals` is 2). Throws a `RangeError` for a finer amount. */
export function toMinor(amount: Amount, decimals: number): bigint {
  const exact = decimalOf(amount);
  const { units } = rescaled(exact, decimals);
  if (compare(amount, fromMinor(units, decimals)) !== 0) {
    throw new RangeError(`${printed(exact)} has more than ${decimals} decimals`);
  }
  return units;
}

/** The decimal text of an amount in minor units. */
export function fromMinor(units: bigint, decimals: number): string {
  return printed({ units, decimals });
}

/** The number to put into a request. Throws a `RangeError` for more than 15 significant digits. */
export function toNumber(amount: Amount): number {
  const text = printed(decimalOf(amount));
  const digits = text.replaceAll(/[-.]/g, "").replace(/^0+/, "");
  let significant = digits.length;
  while (digits[significant - 1] === "0") significant -= 1;
  if (significant > 15) throw new RangeError(`${text} has more than 15 digits`);
  return Number(text);
}

function decimalOf(amount: Amount): Decimal {
  const parts = /^(-?\d+)(?:\.(\d+))?(?:e([+-]?\d{1,3}))?$/i.exec(String(amount));
  if (!parts) throw new RangeError(`${String(amount)} is no decimal`);
  const [, whole = "", fraction = "", exponent = "0"] = parts;
  const decimals = fraction.length - Number(exponent);
  const units = BigInt(whole + fraction);
  return decimals < 0 ? { units: units * 10n ** BigInt(-decimals), decimals: 0 } : { units, decimals };
}

function printed({ units, decimals }: Decimal): string {
  const text = String(units < 0n ? -units : units).padStart(decimals + 1, "0");
  const point = text.length - decimals;
  const fraction = decimals === 0 ? "" : `.${text.slice(point)}`;
  return `${units < 0n ? "-" : ""}${text.slice(0, point)}${fraction}`;
}

function sumOf(a: Decimal, b: Decimal): Decimal {
  const [first, second] = aligned(a, b);
  return { units: first + second, decimals: Math.max(a.decimals, b.decimals) };
}

function aligned(a: Decimal, b: Decimal): readonly [bigint, bigint] {
  const decimals = Math.max(a.decimals, b.decimals);
  return [rescaled(a, decimals).units, rescaled(b, decimals).units];
}

/** Drops what is finer. */
function rescaled({ units, decimals }: Decimal, wanted: number): Decimal {
  const step = 10n ** BigInt(Math.abs(wanted - decimals));
  return { units: wanted < decimals ? units / step : units * step, decimals: wanted };
}
