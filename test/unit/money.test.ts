import { describe, expect, it } from "vitest";
import { decimal } from "../../runtime/contract/index.ts";
import {
  allCurrencies,
  currencyOf,
  amountMinorMax,
  fitsBalance,
  fitsLedger,
  moneyDecimal,
  parseMoney,
} from "../../ledger/domain/money.ts";
import { fc } from "../seed.ts";

const currency = fc.constantFrom(...allCurrencies());

/** Amounts of at most 15 significant digits, in minor units. */
const wireAmountMinor = fc.bigInt({ min: -(10n ** 15n) + 1n, max: 10n ** 15n - 1n });

function parsed(lexeme: string, code = "USD") {
  const money = parseMoney(decimal(lexeme), code);
  return money.ok ? money.value.amountMinor : money.fault;
}

describe("an amount read from the wire", () => {
  it("comes back digit for digit", () => {
    fc.assert(
      fc.property(currency, wireAmountMinor, ({ code }, amountMinor) => {
        const { lexeme } = moneyDecimal({ amountMinor, currency: code });
        expect(parsed(lexeme, code)).toBe(amountMinor);
      }),
    );
  });

  it("is the same however its exponent and zeros are written", () => {
    fc.assert(
      fc.property(currency, wireAmountMinor, fc.nat(30), fc.nat(30), (unit, amountMinor, zeros, shift) => {
        fc.pre(amountMinor !== 0n);
        const digits = `${amountMinor}${"0".repeat(zeros)}e${-zeros - unit.exponent}`;
        const shifted = `${amountMinor}.${"0".repeat(zeros + 1)}E${-unit.exponent}`;
        const fraction = `0.${"0".repeat(shift)}${amountMinor < 0n ? -amountMinor : amountMinor}`;
        const places = (fraction.length - 2 - unit.exponent).toString();
        const unsigned = `${amountMinor < 0n ? "-" : ""}${fraction}e+${places}`;
        expect(parsed(digits, unit.code)).toBe(amountMinor);
        expect(parsed(shifted, unit.code)).toBe(amountMinor);
        if (Number(places) >= 0) expect(parsed(unsigned, unit.code)).toBe(amountMinor);
      }),
    );
  });

  it("never passes through a float", () => {
    expect(parsed("0.1")).toBe(10n);
    expect(parsed("1.15")).toBe(115n);
    expect(parsed("9007199254740.93")).toBe(900719925474093n);
    expect(parsed("0.00000000000000000001e20")).toBe(100n);
  });

  it.each([
    ["0.001", "USD", "too-many-decimals"],
    ["1.5", "JPY", "too-many-decimals"],
    ["1e-400", "USD", "too-many-decimals"],
    ["1e-99999999999999999999", "USD", "too-many-decimals"],
    ["1234567890123.456", "BHD", "too-many-digits"],
    ["1e300", "USD", "too-large"],
    ["1e99999999999999999999", "USD", "too-large"],
    ["92233720368547759e0", "USD", "too-many-digits"],
    ["93e15", "USD", "too-large"],
    ["922337203685478e4", "JPY", "too-large"],
    ["1", "XAU", "unknown-currency"],
    ["1", "usd", "unknown-currency"],
    ["1", "", "unknown-currency"],
  ])("%s %s is refused: %s", (lexeme, code, fault) => {
    expect(parsed(lexeme, code)).toBe(fault);
  });

  it("keeps what fits a signed 64-bit integer and nothing more", () => {
    expect(parsed("92e15")).toBe(9_200_000_000_000_000_000n);
    expect(parsed("922337203685477e2")).toBe(9_223_372_036_854_770_000n);
  });

  it("reads zero in every spelling", () => {
    for (const lexeme of ["0", "-0", "0.000", "0e99", "-0.0e-99"]) expect(parsed(lexeme)).toBe(0n);
  });
});

describe("an amount sent", () => {
  it.each([
    [1250n, "USD", "12.5"],
    [-1n, "USD", "-0.01"],
    [0n, "USD", "0"],
    [100n, "USD", "1"],
    [100n, "JPY", "100"],
    [1n, "BHD", "0.001"],
    [-12345n, "CLF", "-1.2345"],
    [amountMinorMax, "USD", "92233720368547758.07"],
  ])("%d %s is %s", (amountMinor, code, lexeme) => {
    expect(JSON.stringify({ a: moneyDecimal({ amountMinor, currency: code }) })).toBe(`{"a":${lexeme}}`);
  });
});

describe("the ends of the ranges", () => {
  const balanceMax = 999_999_999_999_999n;

  it.each([
    ["a balance", fitsBalance, balanceMax],
    ["a ledger", fitsLedger, amountMinorMax],
  ])("%s reaches both, and nothing beyond", (_name, fits, max) => {
    expect([-max - 1n, -max, max, max + 1n].map(fits)).toEqual([false, true, true, false]);
  });
});

describe("currencies", () => {
  it.each([
    ["USD", "840", 2],
    ["EUR", "978", 2],
    ["JPY", "392", 0],
    ["KWD", "414", 3],
    ["CLF", "990", 4],
    ["ALL", "008", 2],
    ["SAR", "682", 2],
    ["XCG", "532", 2],
  ])("%s is %s with %d decimals", (code, numericCode, exponent) => {
    expect(currencyOf(code)).toEqual({ code, numericCode, exponent });
  });

  it("are the 165 of ISO 4217 that have a minor unit, each with a number of its own", () => {
    const all = allCurrencies();
    expect(all).toHaveLength(165);
    expect(new Set(all.map((unit) => unit.numericCode)).size).toBe(165);
    for (const unit of all) expect(`${unit.code}${unit.numericCode}`).toMatch(/^[A-Z]{3}[0-9]{3}$/);
  });

  it("leave out what was withdrawn and what has no minor unit", () => {
    for (const code of ["HRK", "BGN", "ANG", "ZWL", "SLL", "CUC", "XAU", "XXX", "XTS", "XDR"]) {
      expect(currencyOf(code)).toBeUndefined();
    }
  });
});
