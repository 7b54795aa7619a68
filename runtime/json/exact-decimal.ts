/**
 * A decimal without loss: `significant` × 10^-`scale`, negated where `negative`. `significant` has neither leading
 * nor trailing zeros and is empty for zero, so equal numbers have equal parts however they were written.
 */
export interface ExactDecimal {
  readonly negative: boolean;
  readonly significant: string;
  readonly scale: number;
}

/** The most significant digits a decimal on the wire may have: what every JSON reader keeps (D-37). */
export const significantDigitsMax = 15;

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
