import { globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { sourceText } from "../../generator/source/index.ts";
import { readCommonForm } from "../../generator/syntax/common/index.ts";
import { parseAnyForm } from "../../generator/syntax/parse-yaml.ts";
import { mulberry32 } from "../random.ts";

const depthMax = 64;
const repository = new URL("../..", import.meta.url).pathname;
const textsOf = (pattern: string): readonly string[] =>
  globSync(pattern, { cwd: repository }).map((path) => readFileSync(`${repository}${path}`, "utf8"));

/** What is read as the common form; held against what the parser makes of the same text. */
function commonForm(text: string): "other" | "common" {
  const read = readCommonForm(sourceText("a.yaml", text), depthMax);
  if (read === undefined) return "other";
  const parsed = parseAnyForm(sourceText("a.yaml", text));
  expect({ text, read: printed(read) }).toEqual({ text, read: printed(parsed.value) });
  expect({ text, diagnostics: parsed.diagnostics }).toEqual({ text, diagnostics: [] });
  return "common";
}

function printed(node: unknown): string {
  return JSON.stringify(node, (key, value: unknown) => {
    if (key === "source") return undefined;
    return Object.is(value, -0) ? "-0" : value;
  });
}

it("reads every spec of the repository as the parser does", () => {
  for (const text of [...textsOf("spec/**/*.yaml"), ...textsOf("templates/project/**/*.yaml")])
    expect({ text, form: commonForm(text) }).toEqual({ text, form: "common" });
});

it.each([
  ["texts", "a: b c\nd: 'it''s'\ne: \"\\\"x\\\" \\u00e9\\n\"\nf: a:b #c\ng: a#b"],
  ["texts of several lines", "a: b\n  c\n\n  d\ne: \"f\n  g \\\n  h\"\ni: 'j\n\n  k'\n"],
  ["texts behind a bar", "a: |\n  b\n    c\n\n  d\ne: |-\n  f\n\ng: >\n  h\n  i\n\n  j\nk: >-\n  l\n"],
  ["numbers and truth values", "[a: 1]".slice(1, 5) + "\nb: -1.50\nc: 0.1\nd: true\ne: null\nf: ~\ng: 1.2.3"],
  ["lists", "a:\n- b\n- - c\n  - d\n- e: f\n  g: h\ni:\n  - j # k\n"],
  ["brackets", 'a: { b: [c, { "d": e }], f: [] }\ng:\n  [\n    h,\n    {\n      i: j,\n    },\n  ]\nk: {}\n'],
  ["keys", "1: a\n'b': c\n\"d\": e\n200: f\nAccountService.GetAccount: g\n$h: i\n"],
  ["comments", "# a\nb: c # d\n  # e\nf:\n  # g\n  h: i\n# j\n"],
])("reads %s", (_what, text) => {
  expect(commonForm(text)).toBe("common");
});

it.each([
  ["an anchor", "a: &b c"],
  ["a tag", "a: !!str b"],
  ["a repeated key", "a: b\na: c"],
  ["a tab", "a:\tb"],
  ["two documents", "a: b\n---\nc: d"],
  ["a value with a colon", "a: b: c"],
  ["lines that do not line up", "a:\n    b: c\n  d: e"],
  ["a number that a double does not hold", "a: 0.1234567890123456789"],
  ["a number in another notation", "a: 0x1F"],
  ["what is cut off", "a: {b: c"],
  ["nothing", ""],
  ["a value that is missing", "a:\n"],
  ["brackets that nest too deep", `a: ${"[".repeat(70)}${"]".repeat(70)}`],
])("leaves %s to the parser", (_what, text) => {
  expect(commonForm(text)).toBe("other");
});

it("reads parts of specs, edited at random, as the parser does", () => {
  const random = mulberry32(16);
  const upTo = (count: number): number => Math.floor(random() * count);
  const texts = textsOf("spec/ledger/**/*.yaml");
  let common = 0;
  for (let round = 0; round < 2000; round += 1) {
    const lines = (texts[upTo(texts.length)] ?? "").split("\n");
    const start = upTo(lines.length);
    let text = lines.slice(start, start + 1 + upTo(12)).join("\n");
    const margin = /^ */.exec(text)?.[0] ?? "";
    text = text.replaceAll(new RegExp(`^${margin}`, "gm"), "");
    for (let edits = upTo(4); edits > 0; edits -= 1) {
      const at = upTo(text.length + 1);
      text = text.slice(0, at) + (pieces[upTo(pieces.length)] ?? "") + text.slice(at + upTo(2) * upTo(6));
    }
    if (commonForm(text) === "common") common += 1;
  }
  expect(common).toBeGreaterThan(400);
});

it("reads texts made of marks as the parser does", () => {
  const random = mulberry32(1);
  const upTo = (count: number): number => Math.floor(random() * count);
  let common = 0;
  for (let round = 0; round < 20_000; round += 1) {
    const text = Array.from({ length: 1 + upTo(5) }, () => {
      const words = Array.from({ length: 1 + upTo(5) }, () => pieces[upTo(pieces.length)]);
      return " ".repeat(upTo(4) * upTo(3)) + words.join("");
    }).join("\n");
    if (commonForm(text) === "common") common += 1;
  }
  expect(common).toBeGreaterThan(100);
});

const pieces = (
  `a|b:|c: |- |x: |key: |{ |}|[|]|, |,|"q"|'s'|>|>-| |  | #|#|# c|1|-1|0.5|1.50|1e3|null|~|a b|é|?|? |:|: |` +
  `true|::|-|a#b|a:b|{a: b}|[x, y]|{ a: [1, 2], b: "c" }|"|'|\\|\n|\n\n|\n  |\n    |\n- |"m\n  n"|'m\n n'|` +
  `d\n\n  e|"\\n\\""|"x\\\n   y"|z: >-\n  x\n  y\n\n  z\n|&a |*a|!|%|@|\`|...|---|''|<<: |0x1F|+1|.5|5.|\u2028|\u00A0`
)
  .split("|")
  .concat("|", "|-\n", "|\n  x\n\n   y\n");
