import { describe, expect, test } from "vitest";
import { money } from "../../generated/ledger/client/index.ts";
import { fc } from "../seed.ts";

const decimal = fc
  .tuple(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.integer({ min: 0, max: 8 }))
  .map(([units, decimals]) => money.fromMinor(units, decimals));

describe("amounts", () => {
  test("add, subtract and multiply without a float in between", () => {
    expect(money.add(0.1, 0.2)).toBe("0.3");
    expect(money.add("99999999999999999999.99", "0.01")).toBe("100000000000000000000.00");
    expect(money.add()).toBe("0");
    expect(money.subtract("10.00", 10n)).toBe("0.00");
    expect(money.multiply("19.99", "0.0825")).toBe("1.649175");
    expect(money.add("1e2", "-1.5E-3")).toBe("99.9985");
  });

  test("are what they are under any addition taken back", () => {
    fc.assert(
      fc.property(decimal, decimal, (a, b) => {
        expect(money.compare(money.subtract(money.add(a, b), b), a)).toBe(0);
        expect(money.compare(money.multiply(a, b), money.multiply(b, a))).toBe(0);
      }),
    );
  });

  test("compare by value", () => {
    expect(["10", "9.5", "-3", "9.50"].toSorted(money.compare)).toEqual(["-3", "9.5", "9.50", "10"]);
    expect([money.compare("1.0", 1), money.compare(-1, "0"), money.compare("0.11", 0.1)]).toEqual([0, -1, 1]);
  });

  test("round to the even neighbour, or as they are told", () => {
    const all = (amount: string) => [
      money.round(amount, 2),
      money.round(amount, 2, "half-up"),
      money.round(amount, 2, "down"),
    ];
    expect(all("1.005")).toEqual(["1.00", "1.01", "1.00"]);
    expect(all("1.015")).toEqual(["1.02", "1.02", "1.01"]);
    expect(all("-1.0051")).toEqual(["-1.01", "-1.01", "-1.00"]);
    expect(all("-1.005")).toEqual(["-1.00", "-1.01", "-1.00"]);
    expect(all("7")).toEqual(["7.00", "7.00", "7.00"]);
    expect(money.round("0.5", 0)).toBe("0");
  });

  test("are shared out to the last unit", () => {
    expect(money.allocate("100.00", [1, 1, 1], 2)).toEqual(["33.34", "33.33", "33.33"]);
    expect(money.allocate("-0.05", [0, 1, 1], 2)).toEqual(["0.00", "-0.03", "-0.02"]);
    expect(() => money.allocate("1", [0, 0], 2)).toThrow(RangeError);
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }),
        fc.array(fc.nat(100), { minLength: 1 }).filter((list) => list.some((one) => one > 0)),
        (units, proportions) => {
          const shares = money.allocate(money.fromMinor(units, 2), proportions, 2);
          expect(money.toMinor(money.add(...shares), 2)).toBe(units);
        },
      ),
    );
  });

  test("go to minor units and back, and lose nothing on the way", () => {
    expect(money.toMinor("12.30", 2)).toBe(1230n);
    expect(money.toMinor("12.3000", 2)).toBe(1230n);
    expect(() => money.toMinor("12.305", 2)).toThrow("12.305 has more than 2 decimals");
    expect([money.fromMinor(5n, 2), money.fromMinor(-5n, 3), money.fromMinor(5n, 0)]).toEqual([
      "0.05",
      "-0.005",
      "5",
    ]);
  });

  test("become a number only where the number says the same", () => {
    expect(money.toNumber("1234567890123.45")).toBe(1_234_567_890_123.45);
    expect(money.toNumber("-0.10")).toBe(-0.1);
    expect(() => money.toNumber("1234567890123.456")).toThrow(RangeError);
    expect(money.toNumber("0.0123456789012345000")).toBe(0.0123456789012345);
    for (const wrong of ["", "1,5", "0x10", "NaN", "1e9999", " 1"]) {
      expect(() => money.add(wrong), wrong).toThrow(RangeError);
    }
  });
});
