import { decimal, accepted, refused, type Decimal, type Outcome } from "../../runtime/contract/index.ts";
import { exactDecimal, scaledInteger, significantDigitsMax } from "../../runtime/json/index.ts";
import type { AccountRecord } from "./records/accounts.ts";

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

/** A currency of ISO 4217. */
export interface Currency {
  /** Alphabetic code: `USD`. */
  readonly code: string;
  /** Three-digit numeric code: `840`. */
  readonly numericCode: string;
  /** How many decimals its minor unit has: 2 for cents. */
  readonly exponent: number;
}

/**
 * List one of ISO 4217 as of 2026-01-01 (amendment 180: BGN withdrawn), alphabetic and numeric code by number of
 * decimals. Codes without a minor unit (precious metals, drawing rights, test codes) are no account currencies.
 */
const codesByExponent: readonly (readonly [number, string])[] = [
  [
    0,
    `
    BIF108 CLP152 DJF262 GNF324 ISK352 JPY392 KMF174 KRW410 PYG600 RWF646 UGX800 UYI940 VND704 VUV548 XAF950 XOF952
    XPF953
  `,
  ],
  [
    2,
    `
    AED784 AFN971 ALL008 AMD051 AOA973 ARS032 AUD036 AWG533 AZN944 BAM977 BBD052 BDT050 BMD060 BND096 BOB068 BOV984
    BRL986 BSD044 BTN064 BWP072 BYN933 BZD084 CAD124 CDF976 CHE947 CHF756 CHW948 CNY156 COP170 COU970 CRC188 CUP192
    CVE132 CZK203 DKK208 DOP214 DZD012 EGP818 ERN232 ETB230 EUR978 FJD242 FKP238 GBP826 GEL981 GHS936 GIP292 GMD270
    GTQ320 GYD328 HKD344 HNL340 HTG332 HUF348 IDR360 ILS376 INR356 IRR364 JMD388 KES404 KGS417 KHR116 KPW408 KYD136
    KZT398 LAK418 LBP422 LKR144 LRD430 LSL426 MAD504 MDL498 MGA969 MKD807 MMK104 MNT496 MOP446 MRU929 MUR480 MVR462
    MWK454 MXN484 MXV979 MYR458 MZN943 NAD516 NGN566 NIO558 NOK578 NPR524 NZD554 PAB590 PEN604 PGK598 PHP608 PKR586
    PLN985 QAR634 RON946 RSD941 RUB643 SAR682 SBD090 SCR690 SDG938 SEK752 SGD702 SHP654 SLE925 SOS706 SRD968 SSP728
    STN930 SVC222 SYP760 SZL748 THB764 TJS972 TMT934 TOP776 TRY949 TTD780 TWD901 TZS834 UAH980 USD840 USN997 UYU858
    UZS860 VED926 VES928 WST882 XAD396 XCD951 XCG532 YER886 ZAR710 ZMW967 ZWG924
  `,
  ],
  [
    3,
    `
    BHD048 IQD368 JOD400 KWD414 LYD434 OMR512 TND788
  `,
  ],
  [
    4,
    `
    CLF990 UYW927
  `,
  ],
];

const currencies: ReadonlyMap<string, Currency> = new Map(
  codesByExponent.flatMap(([exponent, codes]) =>
    codes
      .trim()
      .split(/\s+/)
      .map((entry) => {
        const code = entry.slice(0, 3);
        return [code, { code, numericCode: entry.slice(3), exponent }] as const;
      }),
  ),
);

/** The currency with an alphabetic code, upper case as ISO 4217 writes it. */
export function currencyOf(code: string): Currency | undefined {
  return currencies.get(code);
}

/** All currencies, by their decimals, then code. */
export function allCurrencies(): readonly Currency[] {
  return [...currencies.values()];
}

/** The amount that an account can still spend: `balance = ledgerBalance − holdBalance − preAuthBalance` (D-37). Minor units. */
export function availableMinor(
  account: Pick<AccountRecord, "ledgerMinor" | "holdMinor" | "preAuthMinor">,
): bigint {
  return account.ledgerMinor - account.holdMinor - account.preAuthMinor;
}
