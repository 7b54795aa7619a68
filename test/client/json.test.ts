import { describe, expect, test } from "vitest";
import { money } from "../../generated/ledger/client/index.ts";
import { parseJson, sentText } from "../../generated/ledger/client/json.ts";
import { anyCharacter, fc, runs } from "../seed.ts";

/** What a parser makes of a text: its value, or that it takes none. */
function outcome(parse: (text: string) => unknown, text: string): unknown {
  try {
    return { value: parse(text) };
  } catch {
    return "no JSON";
  }
}

const spaces = fc.constantFrom(undefined, 1, "\t");
const numbers = fc
  .tuple(fc.constantFrom("", "-"), fc.bigInt({ min: 0n, max: 10n ** 25n }), fc.bigInt({ min: 0n, max: 999n }))
  .map(([sign, whole, fraction]) => `${sign}${whole}.${String(fraction).padStart(3, "0")}`);

describe("an answer's JSON", () => {
  test("says what it says to any parser, whatever its strings look like", () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: anyCharacter, depthSize: "small" }), spaces, (value, space) => {
        const text = JSON.stringify(value, undefined, space);
        expect(parseJson(text)).toEqual(JSON.parse(text));
      }),
    );
    const text = String.raw`{"a\"1.50":"1.50","b":["\\",-0.0,1E2,"\u0031.50, 2.50]"],"":{"1.50":1.50}}`;
    expect(parseJson(text)).toEqual(JSON.parse(text));
  });

  test("is refused where any parser refuses it", () => {
    const pieces = fc.constantFrom(...'0123456789.-+eE[]{}:,"\\ax\n', "1.50", '"a":', "true", "null");
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 8 }), (texts) => {
        const text = texts.join("");
        expect(outcome(parseJson, text)).toEqual(outcome(JSON.parse, text));
      }),
      { numRuns: runs(1000) },
    );
    for (const text of [
      "01",
      "1.",
      "[1.50.5]",
      "[-]",
      "[01.50]",
      "[1.50e]",
      "[+1.50]",
      '"1.50',
      "[1.50 1]",
    ]) {
      expect(outcome(parseJson, text), text).toBe("no JSON");
    }
  });

  test("keeps each number's digits, in any engine", () => {
    fc.assert(
      fc.property(fc.array(numbers, { minLength: 1 }), (texts) => {
        const list = parseJson(`[${texts.map((text) => `{"n":${text}}`).join(" ,\n")}]`);
        if (!Array.isArray(list)) throw new Error("no list");
        expect(list.map((item) => money.digits(item, "n"))).toEqual(texts);
        expect(list.map(({ n }) => n)).toEqual(texts.map(Number));
      }),
    );
    const parsed = parseJson('{"a":1000000000000.10,"b":9007199254740993,"c":[1.10],"d":5,"e":1E+2}');
    const { c } = Object(parsed);
    expect([sentText(Object(parsed), "a"), sentText(Object(parsed), "b"), sentText(c, "0")]).toEqual([
      "1000000000000.10",
      "9007199254740993",
      "1.10",
    ]);
    expect([sentText(Object(parsed), "d"), sentText(Object(parsed), "e")]).toEqual([undefined, "1E+2"]);
  });

  test("may hold strings that look like what the parser makes of numbers", () => {
    for (const text of [
      String.raw`["\udfff123","\uDFFF1.50",{"\udfff1.50":1.50}]`,
      JSON.stringify(["\udfff123", { "\udfff5": "\udfff-0" }]),
      String.raw`["a\\",1.50,"\\\"2.50",3.50]`,
      '{"__proto__":{"a":1.50},"constructor":2.50}',
    ]) {
      expect(parseJson(text)).toEqual(JSON.parse(text));
    }
    const sent = Object(parseJson('{"__proto__":1.50,"constructor":"x","a":1.50,"a":2}'));
    expect([sentText(sent, "__proto__"), sentText(sent, "constructor"), sentText(sent, "a")]).toEqual([
      "1.50",
      undefined,
      undefined,
    ]);
  });

  test("may be long, and hold as many escapes as it likes", () => {
    expect(parseJson(JSON.stringify(["x".repeat(5_000_000)]))).toHaveLength(1);
    const text = `{"a":"${String.raw`\n\"\\`.repeat(1_000_000)}","b":1.50}`;
    expect(money.digits(Object(parseJson(text)), "b")).toBe("1.50");
  });
});
