import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { z } from "zod";
import { diffModels, isAtLeast, parties, type Change } from "../../generator/diff/index.ts";
import type { ServiceModel } from "../../generator/model/index.ts";
import { casesFolder, libraryWith } from "./diff-cases.ts";

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
