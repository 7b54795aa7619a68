import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { z } from "zod";
import { containment } from "../../generator/diff/compare/values/pattern-containment.ts";
import { diffModels, isAtLeast, parties, type Change } from "../../generator/diff/index.ts";
import type { ServiceModel } from "../../generator/model/index.ts";
import { casesFolder, diffCase, libraryWith } from "./diff-cases.ts";

/** Where one more field goes: the type, and the fields that it has. */
const types = {
  request: ["LoanRequest", ""],
  response: [
    "Book",
    `
      - { name: id, type: string, doc: Identifier. }
      - { name: title, type: string, doc: Title. }
      - { name: genre, type: Genre, doc: Kind of book. }`,
  ],
} as const;

/** The library with one more field, written so. */
function libraryOf(way: keyof typeof types, field: string): ServiceModel {
  const [type, others] = types[way];
  const text = `types:
  ${type}:
    doc: A thing.
    section: "1"
    fields:${others}
      - { name: shelf, doc: Where it stands., ${field} }
`;
  return libraryWith(new Map([["change.yaml", text]]));
}

function expectVerdict(old: ServiceModel, recent: ServiceModel, verdict: "breaks" | "holds"): void {
  const changes = diffModels(old, recent);
  const said = changes.map(({ rule }) => rule).join(" ");
  expect(hardest(changes, "callers") === "breaking" ? "breaks" : "holds", said).toBe(verdict);
}

const rows = z
  .array(z.tuple([z.enum(["request", "response"]), z.string(), z.string(), z.enum(["breaks", "holds"])]))
  .parse(parse(readFileSync(join(casesFolder, "verdicts.yaml"), "utf8")));

test.for(rows)("%s: { %s } became { %s }: it %s", ([type, old, recent, expected]) => {
  expectVerdict(libraryOf(type, old), libraryOf(type, recent), expected);
});

test.for([
  ["^[0-9]{13}$", "^[0-9]{13,14}$", "holds"],
  ["^[0-9]{13}$", "^[0-9][0-9]{12}$", "holds"],
  ["^[0-9]{13,14}$", "^[0-9]{13}$", "breaks"],
] as const)("ids of requests that match %s match %s now: it %s", ([old, recent, expected]) => {
  const base = [...(diffCase("id-pattern-widened").old ?? [])];
  const withIds = (pattern: string): ServiceModel =>
    libraryWith(
      new Map(base.map(([path, text]) => [path, text.replace("^[0-9]{12,18}$", () => pattern)] as const)),
    );
  expectVerdict(withIds(old), withIds(recent), expected);
});

test.each([
  ["doc-changed", "It is kept. It must be unique.", "It must be unique; it is kept."],
  ["doc-changed", "It is kept; it must be unique!", "It must be unique? It is kept."],
  ["doc-rule-added", "It is kept.", "It is kept. It must be unique."],
  ["doc-rule-added", "It must be kept and unique.", "It must be kept. It must be unique."],
])("%s where sentences of a text change: %s", (rule, old, recent) => {
  const documented = (doc: string) =>
    libraryOf(
      "response",
      `type: string, optional: true }\n      - { name: other, type: string, optional: true, doc: "${doc}"`,
    );
  expect(diffModels(documented(old), documented(recent)).map((change) => change.rule)).toEqual([rule]);
});

const Definitions = z.record(z.string(), z.record(z.string(), z.unknown()));
const Verdict = z.enum(["none", "info", "warning", "breaking"]);
const Pair = z.strictObject({
  what: z.string(),
  old: Definitions,
  new: Definitions,
  callers: Verdict.optional(),
  receivers: Verdict.optional(),
  all: z.literal("none").optional(),
});
const Pairs = z.strictObject({ base: Definitions.default({}), pairs: z.array(Pair) });
const { standard, envelope } = z
  .strictObject({ standard: Pairs, envelope: Pairs })
  .parse(parse(readFileSync(join(casesFolder, "pairs.yaml"), "utf8")));

describe.each([
  ["a standard interface", standard],
  ["the signed envelope", envelope],
])("%s", (_, { base, pairs }) => {
  test.each(pairs)("$what", (pair) => {
    const changes = diffModels(modelOf(base, pair.old), modelOf(base, pair.new));
    const said = changes.map(({ rule, path }) => `${rule} ${path}`).join("\n");
    const { what: _what, old: _old, new: _new, all, ...verdicts } = pair;
    if (all !== undefined) expect(said).toBe("");
    for (const [party, verdict] of Object.entries(verdicts))
      expect(`${party}: ${hardest(changes, party)}`, said).toBe(`${party}: ${verdict}`);
  });
});

type Sections = z.infer<typeof Definitions>;

/** Both kinds are read as fragments over the library are: one with a wire of its own stands alone. */
function modelOf(base: Sections, own: Sections): ServiceModel {
  const names = new Set([...Object.keys(base), ...Object.keys(own)]);
  const whole = Object.fromEntries([...names].map((name) => [name, { ...base[name], ...own[name] }]));
  return libraryWith(new Map([["pair.yaml", stringify(whole)]]));
}

function hardest(changes: readonly Change[], wanted: string): string {
  const party = parties.find((each) => each === wanted);
  const severities = changes.flatMap(({ impacts }) =>
    impacts.flatMap((impact) => (impact.party === party ? [impact.severity] : [])),
  );
  return severities.reduce((one, other) => (isAtLeast(other, one) ? other : one), severities[0] ?? "info");
}

test.for([
  ["^[0-9]{3}$", String.raw`^\d{3}$`, "same"],
  ["^(?:a|b)$", "^[ab]$", "same"],
  [String.raw`^[A-Z]\d+$`, String.raw`^[A-Z]\d{2}$`, "narrower"],
  [String.raw`^[A-Z]\d{2}$`, String.raw`^[A-Z]\d+$`, "wider"],
  ["^[a-z]{1,34}$", "^[a-z0-9]{2,40}$", "other"],
  ["^[a-c]$", "^[x-z]$", "other"],
  [String.raw`^.{1,9}$`, String.raw`^[^\n\r\u2028\u2029]{1,9}$`, "same"],
  [String.raw`^\u{1F600}$`, "^😀$", "same"],
  [String.raw`^(?=a)\w+$`, String.raw`^a\w*$`, "same"],
  [String.raw`^(?=.*\d)[a-z\d]{8,9}$`, String.raw`^[a-z\d]{8,9}$`, "wider"],
  [String.raw`^[a-z\d]+$`, String.raw`^(?=.*\d)(?=.*[a-z])[a-z\d]+$`, "narrower"],
  [String.raw`^(?!00)\d{2}$`, String.raw`^\d{2}$`, "wider"],
  [String.raw`^(?!0*$)\d{1,3}$`, String.raw`^0{0,2}[1-9]\d{0,2}$`, "wider"],
  [String.raw`^(?!0*$)\d+$`, String.raw`^0*[1-9]\d*$`, "same"],
  [String.raw`^a(?=b)\w+$`, String.raw`^ab\w*$`, "unknown"],
  [String.raw`^\w+(?<!_)$`, String.raw`^\w+$`, "unknown"],
  ["a", "^[^]*a[^]*$", "same"],
  ["^a", "^a$", "narrower"],
  [String.raw`^(a+)-\1$`, String.raw`^a+-a+$`, "unknown"],
  ["^a$|^b$", "^[ab]$", "same"],
  ["^a|b$", "^a[^]*b$", "narrower"],
  ["^(?:a{1,999}){1,999}$", "^(?:a{1,998}){1,999}$", "unknown"],
] as const)("%s became %s: %s", ([old, recent, expected]) => {
  expect(containment({ pattern: old }, { pattern: recent })).toBe(expected);
});

test.for([
  [{ lengthMax: 10 }, { pattern: "^[^]{0,10}$" }, "same"],
  // A point takes no end of a line.
  [{ lengthMax: 10 }, { pattern: "^.{0,10}$" }, "narrower"],
  [{ lengthMax: 10 }, { pattern: "^[^]{0,12}$" }, "wider"],
  [{ pattern: "^[A-Z]+$", lengthMin: 2, lengthMax: 4 }, { pattern: "^[A-Z]{2,4}$" }, "same"],
  [{ pattern: "^[A-Z]{2}$", lengthMax: 10 }, { pattern: "^[A-Z]{2}$" }, "same"],
  [{ pattern: "^😀*$", lengthMax: 2 }, { pattern: "^😀{0,2}$" }, "same"],
  [{ lengthMax: 20_000 }, { pattern: "^[^]{0,20000}$" }, "unknown"],
] as const)("%j became %j: %s", ([old, recent, expected]) => {
  expect(containment(old, recent)).toBe(expected);
});
