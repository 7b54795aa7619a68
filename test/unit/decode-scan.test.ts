import { describe, expect, test } from "vitest";
import { scanBody } from "../../runtime/protocol/signed-envelope/decode.ts";
import { fc, runs } from "../seed.ts";

const scan = (text: string | Buffer) => scanBody(Buffer.isBuffer(text) ? text : Buffer.from(text));

function breachOf(text: string | Buffer): string | undefined {
  const scanned = scan(text);
  if (!scanned.ok) return scanned.violation;
  return scanned.controlAt === undefined ? undefined : "control-character";
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe("a body is refused with its reason (D-10)", () => {
  const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
  const bodyOf = (bytes: number) => `{"a":"${"x".repeat(4000)}",${" ".repeat(bytes - 4014)}"b":1}`;
  test.each<[string, string | Buffer, string | undefined]>([
    ["nothing", "", "empty-body"],
    ["white space", " \n\t\r ", "empty-body"],
    ["a byte order mark", Buffer.of(0xef, 0xbb, 0xbf, 0x7b, 0x7d), "byte-order-mark"],
    ["UTF-16", Buffer.from("{}", "utf16le"), "syntax"],
    ["a byte that is no UTF-8", Buffer.of(0x22, 0xff, 0x22), "encoding"],
    ["an overlong encoding", Buffer.of(0x22, 0xc0, 0xaf, 0x22), "encoding"],
    ["an encoded surrogate", Buffer.of(0x22, 0xed, 0xa0, 0x80, 0x22), "encoding"],
    ["an escaped high surrogate alone", String.raw`"\uD800"`, "lone-surrogate"],
    ["an escaped low surrogate alone", String.raw`"\udc00x"`, "lone-surrogate"],
    ["two high surrogates", String.raw`"\ud83d\ud83d"`, "lone-surrogate"],
    ["two low surrogates", String.raw`"\udc00\udc00"`, "lone-surrogate"],
    ["a surrogate pair", String.raw`"\ud83d\uDE00"`, undefined],
    ["an escaped null character", String.raw`"a\u0000"`, "control-character"],
    ["an escaped U+001F", String.raw`"a\u001F"`, "control-character"],
    ["an escaped U+007F", String.raw`"a\u007f"`, "control-character"],
    ["an escaped U+009F", String.raw`"a\u009f"`, "control-character"],
    ["an escaped U+00A0", String.raw`"a\u00a0"`, undefined],
    ["U+007F as it is", '"a\u007f"', "control-character"],
    ["U+0080 as it is", '"\u0080"', "control-character"],
    ["U+009F as it is", '"\u009f"', "control-character"],
    ["U+00A0 as it is", '"\u00a0"', undefined],
    ["U+00BF and U+2028 as they are", '"¿\u2028"', undefined],
    ["a control character in a key", String.raw`{"a\tb":1}`, "control-character"],
    ["each short escape of one", String.raw`["\"\\\/"]`, undefined],
    ...["b", "f", "n", "r", "t"].map((short): [string, string, string] => [
      `the escape ${short}`,
      `"\\${short}"`,
      "control-character",
    ]),
    [
      "line breaks in PublicKey",
      String.raw`{"params":{"payload":{"PublicKey":"a\r\nb\u000a\u000D"}}}`,
      undefined,
    ],
    ["line breaks in publickey", String.raw`{"publickey":"a\n"}`, undefined],
    ["a tab in PublicKey", String.raw`{"PublicKey":"a\t"}`, "control-character"],
    ["line breaks beside PublicKey", String.raw`{"PublicKey":"a\n","Otp":"a\n"}`, "control-character"],
    ["line breaks within an array called PublicKey", String.raw`{"PublicKey":["a\n"]}`, "control-character"],
    ["two values", "{} {}", "trailing-bytes"],
    ["a zero byte after the value", "{}\0", "trailing-bytes"],
    ["a doubled key", '{"a":1,"a":2}', "duplicate-key"],
    ["a key doubled through an escape", String.raw`{"a":1,"\u0061":2}`, "duplicate-key"],
    ["a doubled key further in", '{"a":[{"b":{"c":1,"c":1}}]}', "duplicate-key"],
    [
      "a doubled key among many",
      `{${Array.from({ length: 50 }, (_, n) => `"k${n}":0`).join()},"k3":1}`,
      "duplicate-key",
    ],
    ["the same key in two objects", '[{"a":1},{"a":2}]', undefined],
    ["two spellings by case", '{"a":1,"A":2}', undefined],
    ["__proto__", '{"__proto__":{}}', "forbidden-key"],
    ["constructor, escaped", String.raw`{"\u0063onstructor":1}`, "forbidden-key"],
    ["prototype further in", '{"a":{"prototype":1}}', "forbidden-key"],
    ["depth 32", nested(32), undefined],
    ["depth 33", nested(33), "too-deep"],
    ["depth 100,000", nested(100_000), "too-deep"],
    ["a string of 4096 characters", `"${"é".repeat(4096)}"`, undefined],
    ["a string of 4097 characters", `"${"é".repeat(4097)}"`, "string-too-long"],
    ["4096 astral characters", `"${"😀".repeat(4096)}"`, undefined],
    ["4096 escaped pairs", `"${String.raw`\ud83d\ude00`.repeat(4096)}"`, undefined],
    ["4097 escapes", `"${String.raw`\/`.repeat(4097)}"`, "string-too-long"],
    ["a key of 4097 characters", `{"${"k".repeat(4097)}":1}`, "string-too-long"],
    ["1000 items", `[${"0,".repeat(999)}0]`, undefined],
    ["1001 items", `[${"0,".repeat(1000)}0]`, "array-too-long"],
    ["256 KiB", bodyOf(256 * 1024), undefined],
    ["256 KiB and a byte", bodyOf(256 * 1024 + 1), "body-too-large"],
    ["a number beyond a double", "1e309", "number-not-finite"],
    ["a long number beyond a double", `-${"9".repeat(400)}`, "number-not-finite"],
    ["a long number within a double", `0.${"9".repeat(4000)}`, undefined],
    ["NaN", "NaN", "syntax"],
    ["a leading zero", "01", "trailing-bytes"],
    ["a bare minus", "-", "syntax"],
    ["a number ending in a dot", "[1.]", "syntax"],
    ["an empty exponent", "[1e]", "syntax"],
    ["a trailing comma", "[1,]", "syntax"],
    ["a trailing comma in an object", '{"a":1,}', "syntax"],
    ["a single-quoted string", "{'a':1}", "syntax"],
    ["a comment", "{/**/}", "syntax"],
    ["a control character in a string", '"\n"', "syntax"],
    ["an unknown escape", String.raw`"\x41"`, "syntax"],
    ["a short unicode escape", String.raw`"\u12"`, "syntax"],
    ["an unfinished string", '{"a', "syntax"],
    ["an unfinished word", "tru", "syntax"],
  ])("%s", (_name, text, violation) => {
    expect(breachOf(text)).toBe(violation);
  });
});

test("a refusal says at which byte", () => {
  expect(scan('{"é":1,"é":2}')).toEqual({ ok: false, violation: "duplicate-key", atByte: 8 });
});

test("whatever JSON.parse refuses is refused, and what it takes is refused for a limit only", () => {
  const jsonish = fc.oneof(
    fc.json(),
    fc.tuple(fc.json(), fc.nat(), fc.string({ maxLength: 2 })).map(([text, at, noise]) => {
      const cut = at % (text.length + 1);
      return text.slice(0, cut) + noise + text.slice(cut + 1);
    }),
    fc.string({ unit: fc.constantFrom(...'{}[]",:0123456789.eE+-\\utrufalsn \n') }),
  );
  fc.assert(
    fc.property(jsonish, (text) => {
      const violation = breachOf(text);
      const wellFormed = Buffer.from(text).toString() === text;
      if (violation === undefined) expect(parses(text)).toBe(true);
      else if (wellFormed && ["syntax", "trailing-bytes", "empty-body"].includes(violation)) {
        expect(parses(text)).toBe(false);
      }
    }),
    { numRuns: runs(1500) },
  );
});

describe("the range of params.payload is exact (D-15)", () => {
  const rangeOf = (text: string) => {
    const scanned = scan(text);
    return scanned.ok ? scanned.payloadBytes?.toString() : scanned.violation;
  };
  test.each([
    ['{"params":{"payload":{"ID":"1"}}}', '{"ID":"1"}'],
    ['{"params" :\n{ "payload"\t: { "ID" : "é" } \n, "api":{}}}', '{ "ID" : "é" }'],
    [String.raw`{"par\u0061ms":{"p\u0061yload":[1, 2]}}`, "[1, 2]"],
    ['{"Params":{"PAYLOAD":{}}}', "{}"],
    ['{"payload":1,"params":{"api":{"payload":2},"payload":3},"x":{"params":{"payload":4}}}', "3"],
    ['{"params":{"x":{"payload":1}}}', undefined],
    ['[{"params":{"payload":1}}]', undefined],
  ])("%s", (text, range) => {
    expect(rangeOf(text)).toBe(range);
  });

  test("for any value in any formatting", () => {
    const value = fc.jsonValue({ maxDepth: 3 });
    fc.assert(
      fc.property(value, value, fc.nat(4), (payload, other, indent) => {
        const payloadText = JSON.stringify(payload, null, indent);
        const text = `{"x":${JSON.stringify(other)},"params":{"api":{},"payload": ${payloadText} },"id":"1"}`;
        const scanned = scan(text);
        if (scanned.ok) expect(scanned.payloadBytes?.toString()).toBe(payloadText);
      }),
    );
  });
});
