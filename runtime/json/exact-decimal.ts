/**
 * A decimal without loss: `significant` × 10^-`scale`, negated where `negative`. `significant` has neither leading
 * nor trailing zeros and is empty for zero, so equal numbers have equal parts however they were written.
 */
export interface ExactDecimal {
  readonly negative: boolean;
  readonly significant: string;
  readonly scale: number;
}

/** The most significant digits a decimal on the wire may have: what every JSON reader keeps. */
export const significantDigitsMax = 15;

/** Whether the text of a number has more significant digits than a decimal on the wire may have. */
export function isTooPrecise(text: string): boolean {
  return (exactDecimal(text)?.significant.length ?? Infinity) > significantDigitsMax;
}

/** Whether an integer is the double, or how JavaScript prints the double: `2 ** 63` is 9223372036854776000 there. */
export function isExactInteger(text: string, value: number): boolean {
  return Number.isSafeInteger(value) || String(value) === text || BigInt(value) === BigInt(text);
}

/** Sound JSON with every number as the text that it was written in: exact numbers never pass through a float. */
export function numberTexts(text: string): unknown {
  return JSON.parse(text, (_name: string, value: unknown, context?: { readonly source?: string }) =>
    typeof value === "number" ? context?.source : value,
  );
}

const decimalText = /^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/;

/** Reads the text of a decimal, exponents included, never through a float; `undefined` for other text. */
export function exactDecimal(text: string): ExactDecimal | undefined {
  const parts = decimalText.exec(text);
  if (parts === null) return undefined;
  const [, sign, whole = "", fraction = "", exponent = "0"] = parts;
  const digits = (whole + fraction).replace(/^0+/, "");
  const significant = digits.slice(0, lengthWithoutTrailingZeros(digits));
  if (significant === "") return { negative: false, significant, scale: 0 };
  const scale = fraction.length - Number(exponent) - (digits.length - significant.length);
  return { negative: sign === "-", significant, scale };
}

/** The number × 10^`places`: `fraction` where that is no integer, `large` where it has more than `digitsMax` digits. */
export function scaledInteger(
  number: ExactDecimal,
  places: number,
  digitsMax: number,
): bigint | "fraction" | "large" {
  if (number.significant === "") return 0n;
  const zeros = places - number.scale;
  if (zeros < 0) return "fraction";
  if (number.significant.length + zeros > digitsMax) return "large";
  const magnitude = BigInt(number.significant) * 10n ** BigInt(zeros);
  return number.negative ? -magnitude : magnitude;
}

/** A loop, because `/0+$/` takes quadratic time on a long run of inner zeros. */
function lengthWithoutTrailingZeros(digits: string): number {
  let length = digits.length;
  while (length > 0 && digits[length - 1] === "0") length -= 1;
  return length;
}
