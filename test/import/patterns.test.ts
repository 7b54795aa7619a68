import { expect, test } from "vitest";
import { anchoredPattern } from "../../tools/import/scalars.ts";
import { jsonOf } from "../../tools/import/index.ts";
import { reExport } from "./re-export.ts";

test.each([
  ["^[a\\-z\\']+$", "^[a\\-z']+$"],
  ['^[+\\-=\\"]*$', '^[+\\-="]*$'],
  ["^a\\@b\\,c$", "^a@b,c$"],
  ["^[\\w-.]+$", "^[\\w\\-.]+$"],
  ["^[.-\\d]+$", "^[.\\-\\d]+$"],
  ["^a{b}]$", "^a\\{b\\}\\]$"],
  ["^\\'[ab]{2,3}\\'$", "^'[ab]{2,3}'$"],
  ["^[a-z\\_]$", "^[a-z_]$"],
  ["^[\\\\w-z\\'{2}-]$", "^[\\\\w-z'{2}-]$"],
])("%s takes the same texts with the flag as %s", (pattern, expected) => {
  expect(anchoredPattern(pattern)).toBe(expected);
  const [without, withFlag] = [new RegExp(pattern), new RegExp(expected, "u")];
  const characters = Array.from({ length: 0x7f }, (_, code) => String.fromCharCode(code));
  const texts = [...characters, ...characters.flatMap((one) => ["a", "'", "b", "-"].map((two) => one + two))];
  for (const text of [...texts, "a@b,c", "a{b}]", "'ab'", "'abb'", "'a'"])
    expect([text, withFlag.test(text)]).toEqual([text, without.test(text)]);
});

test("a pattern is exact in the export again", () => {
  const { imported, errors } = reExport(
    jsonOf({ $defs: { A: { type: "string", pattern: "^[a\\-z\\']+$" } } }),
  );
  expect(errors).toEqual([]);
  expect(imported.files?.["types.yaml"]).toContain("pattern: ^[a\\-z']+$");
});
